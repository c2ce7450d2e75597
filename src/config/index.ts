export { type CommandTarget, type ReadTarget, readTarget, type Target, type UrlTarget } from './target.ts'
