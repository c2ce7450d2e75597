/**
 * A list of `count` tools as ready-made `tools/list` results, one per page. Serialized once, so that a
 * server's own work does not blur what a client pays for reading them.
 */

const PAGE_SIZE = 100
const pagesByCount = new Map()

function tool(index) {
  return {
    name: `tool_${String(index).padStart(5, '0')}`,
    title: `Tool number ${index}`,
    description: `Looks up entry ${index} in the register and returns what is known about it, newest first.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for', minLength: 1 },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        order: { type: 'string', enum: ['newest', 'oldest', 'relevance'] },
      },
      required: ['query'],
    },
    // Every schema differs: a client that compiles cannot save itself by seeing one schema 1,000 times.
    outputSchema: {
      type: 'object',
      properties: {
        total: { type: 'integer', minimum: 0 },
        [`rows_${index}`]: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'string' }, score: { type: 'number' }, tags: { type: 'array', items: { type: 'string' } } },
            required: ['id', 'score'],
          },
        },
      },
      required: ['total'],
    },
    annotations: { readOnlyHint: true },
  }
}

/** The page behind `cursor` of a list of `count` tools, as the text of a JSON object. */
export function toolPage(count, cursor, modern) {
  const key = `${count}/${modern}`
  let pages = pagesByCount.get(key)
  if (!pages) {
    pages = []
    for (let start = 0; start < count; start += PAGE_SIZE) {
      const tools = Array.from({ length: Math.min(PAGE_SIZE, count - start) }, (_, i) => tool(start + i))
      pages.push(
        JSON.stringify({
          tools,
          ...(start + PAGE_SIZE < count && { nextCursor: `page-${pages.length + 1}` }),
          ...(modern && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }),
        }),
      )
    }
    pagesByCount.set(key, pages)
  }
  return pages[cursor === undefined ? 0 : Number(String(cursor).slice('page-'.length))]
}
