/** mcp-switchboard as it is published: the built root entry of this repository. */

const ENTRY = new URL('../../dist/index.js', import.meta.url).href

export const load = () => import(ENTRY)

export async function open({ command, url, era }, options = {}) {
  const { connect } = await load()
  const client = await connect(command ?? url, { era, ...options })
  return {
    call: (name, args, onProgress) => (onProgress ? client.callTool(name, args, { onProgress }) : client.callTool(name, args)),
    list: () => client.listTools(),
    close: () => client.close(),
  }
}
