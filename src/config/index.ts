/** @internal */
export { closest } from '../protocol/closest.ts'
export { agreeTo, type Discovery, type DiscoveryOptions, discoverServers, type FoundFile, type FoundServer, isAgreed } from './discovery.ts'
export { addServer, enableServer, removeServer } from './edit-servers.ts'
export { type LoadOptions, loadServers, type ServersByName, type ServersSource } from './load-servers.ts'
export { type ResolveOptions, resolveTarget } from './resolve-target.ts'
export type { ServerConfig, ServerDefinition, ServerOrigin, ToolFilter } from './server-definition.ts'
export type { AnswerInput, ConfigInput } from './surroundings.ts'
export { type CommandTarget, type ReadTarget, readTarget, type Target, type UrlTarget } from './target.ts'
