import { done, later, open, row, type Section } from './row.ts'

export const calls: Section = {
  title: 'D. Tools, prompts, resources',
  rows: [
    ...later(
      'servers',
      [58, 'which server a call goes to', "{ server: 'files' }"],
      [59, 'several calls at once', 'callTools([{ name, args, server }])'],
    ),
    ...later('features', [60, 'arguments may be left out of them', 'callTools([{ name }])']),
    row(
      61,
      'a call that streams',
      'for await (const event of client.callToolStream(…))',
      'features',
      open('features', 'log and status events'),
    ),
    ...later('features', [62, 'streams on every transport', 'the same']),
    row(
      63,
      'every prompt',
      'listPrompts()',
      'features',
      open('features', undefined, ['interop/checks.mjs', 'const prompts = await client.listPrompts()']),
    ),
    row(
      64,
      'a prompt with arguments',
      'getPrompt(name, args)',
      'features',
      open('features', 'the server of a group', ['interop/rows.mjs', "text: 'Say hello to Ada'"]),
    ),
    row(65, 'lists are walked to their end', 'every list', 'features', open('features')),
    row(66, 'a bound on pages', 'limits.maxPages, limits.maxItems', 'failures', open('foundation')),
    row(67, 'a cursor that repeats ends the walk', 'built in', 'foundation', open('foundation')),
    row(68, 'an empty cursor', 'ends the walk in the old era, is a cursor in the new one', 'foundation', open('foundation')),
    row(69, 'walking by hand', "client.pages('resources', { cursor })", 'features', open('features')),
    row(
      70,
      'every resource',
      'listResources()',
      'features',
      open('features', undefined, ['interop/checks.mjs', '(await client.listResources()).length']),
    ),
    row(
      71,
      'read a resource',
      'readResource(uri), its contents',
      'features',
      open('features', undefined, ['interop/checks.mjs', 'await client.readResource(uri)']),
    ),
    ...later('features', [72, 'is it text', "'text' in contents"]),
    row(
      73,
      'the bytes of a blob',
      'bytesOf(block)',
      'features',
      done(['test/unit/protocol/peer-text.test.ts', 'gives the bytes of base64 %j']),
    ),
    row(74, 'a URI that no list has', 'any URI', 'features', done(['interop/rows.mjs', "uri: 'demo://resource/dynamic/text/1'"])),
  ],
}
