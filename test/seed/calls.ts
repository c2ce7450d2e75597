import { done, later, open, row, type Section } from './row.ts'

export const calls: Section = {
  title: 'D. Tools, prompts, resources',
  rows: [
    ...later(
      'servers',
      [58, 'which server a call goes to', "{ server: 'files' }"],
      [59, 'several calls at once', 'callTools([{ name, args, server }])'],
    ),
    row(
      60,
      'arguments may be left out of them',
      'callTools([{ name }])',
      'features',
      done(['test/unit/features/batch.test.ts', 'give what became of each, in their order']),
    ),
    row(
      61,
      'a call that streams',
      'for await (const event of client.callToolStream(…))',
      'features',
      open('features', 'log and status events', [
        'test/unit/features/tools.test.ts',
        'yields progress while the tool runs, then the result, and ends',
      ]),
    ),
    row(
      62,
      'streams on every transport',
      'the same',
      'features',
      open('failures', 'HTTP+SSE and plain HTTP', ['test/behaviour/demo.test.ts', 'streams what happens']),
    ),
    row(
      63,
      'every prompt',
      'listPrompts()',
      'features',
      done(['test/unit/features/lists.test.ts', 'are followed to the end'], ['test/behaviour/demo.test.ts', 'gives prompts']),
    ),
    row(
      64,
      'a prompt with arguments',
      'getPrompt(name, args)',
      'features',
      open('servers', 'the server of a group', ['test/behaviour/demo.test.ts', 'gives prompts']),
    ),
    row(
      65,
      'lists are walked to their end',
      'every list',
      'features',
      done(['test/unit/features/lists.test.ts', 'are followed to the end']),
    ),
    row(
      66,
      'a bound on pages',
      'limits.maxPages, limits.maxItems',
      'failures',
      done(
        ['test/unit/features/lists.test.ts', 'with new cursors for ever end with an error that holds what was read, after maxPages of %i'],
        ['test/unit/features/lists.test.ts', 'with too many items end with an error'],
      ),
    ),
    row(
      67,
      'a cursor that repeats ends the walk',
      'built in',
      'foundation',
      done(
        ['test/unit/features/lists.test.ts', 'end at a cursor that repeats, with what was read and a warning'],
        ['test/unit/features/lists.test.ts', 'end at cursors that go in a circle'],
      ),
    ),
    row(
      68,
      'an empty cursor',
      'ends the walk in the old era, is a cursor in the new one',
      'foundation',
      done(['test/unit/features/lists.test.ts', 'end at the cursor %j']),
    ),
    row(
      69,
      'walking by hand',
      "client.pages('resources', { cursor })",
      'features',
      done(['test/unit/features/lists.test.ts', 'can be walked page by page, from any cursor']),
    ),
    row(70, 'every resource', 'listResources()', 'features', done(['test/behaviour/demo.test.ts', 'gives resources, listed and not'])),
    row(
      71,
      'read a resource',
      'readResource(uri), its contents',
      'features',
      done(['test/behaviour/demo.test.ts', 'gives resources, listed and not']),
    ),
    row(72, 'is it text', 'isText(contents)', 'features', done(['test/unit/features/resources.test.ts', 'is text or not: %j'])),
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
