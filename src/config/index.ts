/** @internal */
export { closest } from '../protocol/closest.ts'
export { type ResolveOptions, resolveTarget } from './resolve-target.ts'
export { type CommandTarget, type ReadTarget, readTarget, type Target, type UrlTarget } from './target.ts'
