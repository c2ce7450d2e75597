import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { switchboard } from './switchboard.ts'

const COMMANDS = ['tools', 'call', 'serve-demo']

it('--version prints the version of the package and nothing else', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(await switchboard(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

it('--help and --version load neither the client nor the parser', async () => {
  const hook = `data:text/javascript,${encodeURIComponent(`
    import { register } from 'node:module'
    register('data:text/javascript,' + encodeURIComponent(\`
      export async function resolve(name, context, next) {
        if (/^(commander|mcp-switchboard|#)/.test(name)) console.error('loaded ' + name)
        return next(name, context)
      }\`))`)}`
  for (const words of [['--version'], ['--help'], ['help'], ['help', 'call'], ['call', '--help'], ['tools', 'demo', '-h']]) {
    const { code, stdout, stderr } = await switchboard(words, { env: { NODE_OPTIONS: `--import ${hook}` } })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toBe('')
  }
})

it('the help names every command', async () => {
  const { stdout } = await switchboard(['--help'])
  for (const name of COMMANDS) expect(stdout).toContain(`  ${name}`)
})

it.each(COMMANDS)('the help of %s has an example that fits in a terminal', async (name) => {
  const { code, stdout } = await switchboard([name, '--help'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/Examples?\n {2}switchboard /)
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(120)
})

it.each(['tools', 'call'])('the examples of %s that need no network run', async (name) => {
  const { stdout } = await switchboard([name, '--help'])
  const examples = [...stdout.matchAll(/^ {2}switchboard (\S.* demo.*)$/gm)].map(([, words = '']) => words.split(' '))
  expect(examples.length).toBeGreaterThan(1)
  for (const words of examples) expect(await switchboard(words)).toMatchObject({ code: 0 })
})

it('the command behind the dashes keeps its own --help', async () => {
  const { code } = await switchboard(['tools', '--', process.execPath, '--help'])
  expect(code).toBe(4)
})
