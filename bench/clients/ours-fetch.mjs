/** mcp-switchboard over a `fetch` that the caller passes: the way of browsers, edge runtimes and custom dispatchers. */
import { open as openOurs } from './ours.mjs'

export { load } from './ours.mjs'

export const open = (target) => openOurs(target, { fetch: globalThis.fetch })
