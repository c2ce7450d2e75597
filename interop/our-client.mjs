// What our client gets from a server, in the same shape as the official client's answers.
import { answersOf } from './same-answers.mjs'

/** The whole session of `offers` on a connection of its own, as plain wire objects. */
export async function ourAnswers(connect, offers) {
  const client = await connect()
  try {
    return await answersOf(
      {
        lists: async () => ({
          tools: (await client.listTools()).map((tool) => tool.definition),
          prompts: await client.listPrompts(),
          resources: await client.listResources(),
          templates: await client.listResourceTemplates(),
        }),
        call: async (name, args) => (await withRpcCode(client.callTool(name, args))).raw,
        prompt: (name, args) => withRpcCode(client.getPrompt(name, args)),
        read: (uri) => withRpcCode(client.readResource(uri)),
        complete: async (params) => (await withRpcCode(client.request('completion/complete', params))).completion,
      },
      offers,
    )
  } finally {
    await client.close()
  }
}

/** Our errors have the code of JSON-RPC beside their own, that of a tool which is missing in its cause. */
async function withRpcCode(promise) {
  try {
    return await promise
  } catch (error) {
    throw Object.assign(new Error(error.message), { code: error.rpcCode ?? error.cause?.rpcCode })
  }
}
