/** Every page of a list, for clients that give one page at a time. `page` is given what the request needs beside its method. */
export async function listAll(page) {
  const tools = []
  let cursor
  do {
    const answer = await page(cursor === undefined ? undefined : { cursor })
    tools.push(...answer.tools)
    cursor = answer.nextCursor
  } while (cursor !== undefined)
  return tools
}
