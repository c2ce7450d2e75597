/** The smallest reader of event streams that is right for the answers of an MCP server: `feed(text)` gives `onMessage` each `data`. */
export function sseEvents(onMessage) {
  let rest = ''
  return (text) => {
    rest += text
    let start = 0
    for (let end = rest.indexOf('\n\n', start); end !== -1; end = rest.indexOf('\n\n', start)) {
      const data = rest.indexOf('data: ', start)
      if (data !== -1 && data < end) onMessage(JSON.parse(rest.slice(data + 6, end)))
      start = end + 2
    }
    rest = rest.slice(start)
  }
}
