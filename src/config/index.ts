/** @internal */
export { closest } from '../protocol/closest.ts'
export { type LoadOptions, loadServers, MAX_SERVERS, type ServersByName, type ServersSource } from './load-servers.ts'
export { type ResolveOptions, resolveTarget } from './resolve-target.ts'
export type { ServerConfig, ServerDefinition, ServerOrigin, ToolFilter } from './server-definition.ts'
export type { AnswerInput, ConfigInput } from './surroundings.ts'
export { type CommandTarget, type ReadTarget, readTarget, type Target, type UrlTarget } from './target.ts'
