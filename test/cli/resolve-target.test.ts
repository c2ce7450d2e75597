import { resolveTarget } from 'mcp-switchboard/config'
import { describe, expect, it } from 'vitest'

describe('a target that a person wrote', () => {
  it.each([
    ['https://example.com/mcp', 'https://example.com/mcp'],
    [' http://localhost:3000 ', 'http://localhost:3000'],
    ['npx -y some-server /home', 'npx -y some-server /home'],
    ['stdio://./server --flag', 'stdio://./server --flag'],
  ])('%s is taken as it is', async (text, expected) => {
    expect(await resolveTarget(text)).toBe(expected)
  })

  it('demo is the demo server of this package, or the command that the caller has for it', async () => {
    expect(await resolveTarget('demo')).toEqual(['npx', '-y', 'mcp-switchboard', 'serve-demo'])
    expect(await resolveTarget('demo', { demo: ['switchboard', 'serve-demo'] })).toEqual(['switchboard', 'serve-demo'])
  })

  it.each([
    ['ftp://example.com', 'a scheme that names no server'],
    ['http://', 'not a valid URL'],
    ['./server', 'neither a URL nor a known command'],
    ['', 'neither a URL nor a known command'],
    ['stdio://', 'names no command'],
  ])('%j is refused', async (text, message) => {
    await expect(resolveTarget(text)).rejects.toThrow(message)
    await expect(resolveTarget(text)).rejects.toBeInstanceOf(TypeError)
  })
})
