// One session, held by two clients with the same server: what both must give alike, as plain wire objects.

/** Columns of the table: what is compared. */
export const topics = ['lists', 'calls', 'prompts', 'resources', 'completions', 'errors']

const pick = (object, ...keys) => Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]))
const refusal = async (request) => {
  try {
    await request()
  } catch (error) {
    return error.code
  }
  return 'no error'
}

/**
 * @param peer `lists()`, `call(name, args)`, `prompt(name, args)`, `read(uri)`, `complete(params)` of one client; refused requests reject with
 *   an error whose `code` is that of JSON-RPC.
 * @param offers What the server has, see rows.mjs.
 */
export async function answersOf(peer, offers) {
  const { calls = [], prompts = [], resources = [], completions = [], errors = [] } = offers.same
  const answers = { lists: await peer.lists(), calls: [], prompts: [], resources: [], completions: [], errors: [] }
  for (const [name, args] of calls) answers.calls.push(pick(await peer.call(name, args), 'content', 'structuredContent', 'isError'))
  for (const [name, args] of prompts) answers.prompts.push(pick(await peer.prompt(name, args), 'description', 'messages'))
  for (const uri of resources) answers.resources.push(await peer.read(uri))
  for (const params of completions) answers.completions.push(await peer.complete(params))
  for (const [how, ...rest] of errors) answers.errors.push(await refusal(() => peer[how](...rest)))
  return JSON.parse(JSON.stringify(answers))
}
