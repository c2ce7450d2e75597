// What is asked of each server, and the answers we know it to give. `official` names what the servers of the official SDK offer.

const textOf = (result) => result.content.map((block) => block.text ?? `<${block.type}>`).join('\n')

const everything = {
  tools: ['echo', 'get-sum', 'get-structured-content', 'trigger-long-running-operation', 'trigger-elicitation-request'],
  info: { name: 'mcp-servers/everything', version: '2.0.0' },
  call: { name: 'echo', args: { message: 'grüße 🌍' }, text: 'Echo: grüße 🌍' },
  structured: {
    name: 'get-structured-content',
    args: { location: 'Chicago' },
    data: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
  },
  progress: { name: 'trigger-long-running-operation', args: { duration: 0.2, steps: 4 }, steps: [1, 2, 3, 4], total: 4 },
  elicitation: {
    name: 'trigger-elicitation-request',
    content: { name: 'Ada', check: true },
    accepted: (result) => /Name: Ada/.test(textOf(result)) && /Agreed to terms: true/.test(textOf(result)),
    declined: (result) => /declined/i.test(textOf(result)),
  },
  error: { name: 'get-sum', args: { a: 'one', b: 2 }, pattern: /invalid|expected number/i },
  cancel: { name: 'trigger-long-running-operation', args: { duration: 30, steps: 3 } },
  prompt: { name: 'simple-prompt', text: 'This is a simple prompt without arguments.' },
  resource: { list: true, uri: 'demo://resource/dynamic/text/1', pattern: /Resource 1/ },
  same: {
    calls: [
      ['echo', { message: 'twice' }],
      ['get-sum', { a: 1, b: 2.5 }],
      ['get-sum', { a: 'one', b: 2 }],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
      ['get-resource-links', { count: 4 }],
      ['get-structured-content', { location: 'New York' }],
      ['get-tiny-image', {}],
      ['trigger-elicitation-request', {}],
      ['no-such-tool', {}],
    ],
    prompts: [
      ['simple-prompt', undefined],
      ['args-prompt', { city: 'Köln', state: 'NRW' }],
      ['completable-prompt', { department: 'Sales', name: 'David' }],
    ],
    resources: ['demo://resource/static/document/features.md', 'demo://resource/static/document/startup.md'],
    completions: [
      { ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' } },
      {
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'name', value: 'A' },
        context: { arguments: { department: 'Engineering' } },
      },
      { ref: { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' }, argument: { name: 'resourceId', value: '1' } },
    ],
    errors: [
      ['prompt', 'no-such-prompt', {}],
      ['prompt', 'args-prompt', {}],
      ['read', 'demo://nowhere'],
      ['complete', { ref: { type: 'ref/prompt', name: 'no-such-prompt' }, argument: { name: 'a', value: '' } }],
    ],
  },
}

const filesystem = (folder) => ({
  tools: ['read_text_file', 'list_directory', 'write_file', 'get_file_info'],
  info: { name: 'secure-filesystem-server' },
  call: { name: 'read_text_file', args: { path: `${folder}/hello.txt` }, text: 'hello from a file\n' },
  structured: { name: 'list_directory', args: { path: folder }, data: { content: '[FILE] hello.txt' } },
  error: { name: 'read_text_file', args: { path: `${folder}/missing.txt` }, pattern: /ENOENT|no such file/i },
  same: {
    calls: [
      ['read_text_file', { path: `${folder}/hello.txt` }],
      ['read_text_file', { path: `${folder}/missing.txt` }],
      ['read_text_file', { path: 5 }],
      ['list_directory', { path: folder }],
      ['list_allowed_directories', {}],
      ['search_files', { path: folder, pattern: '**/*.txt' }],
      ['read_multiple_files', { paths: [`${folder}/hello.txt`, `${folder}/missing.txt`] }],
      ['directory_tree', { path: folder }],
    ],
  },
})

const official = {
  tools: ['echo', 'weather', 'steps', 'ask', 'fail', 'wait'],
  info: { name: 'interop-official', version: '1.2.3' },
  instructions: 'Use echo first.',
  call: { name: 'echo', args: { message: 'grüße 🌍' }, text: 'echo: grüße 🌍' },
  structured: { name: 'weather', args: { city: 'Köln' }, data: { city: 'Köln', celsius: 21.5, tags: ['dry', 'später Wind'] } },
  progress: { name: 'steps', args: { count: 5 }, steps: [1, 2, 3, 4, 5], total: 5 },
  elicitation: {
    name: 'ask',
    content: { colour: 'blue' },
    accepted: (result) => textOf(result) === 'colour: blue',
    declined: (result) => textOf(result) === 'no colour: decline',
  },
  error: { name: 'fail', args: {}, pattern: /this tool always fails/ },
  cancel: { name: 'wait', args: {}, heard: { name: 'cancelled', before: '0', after: '1' } },
  prompt: { name: 'greet', args: { name: 'Ada' }, text: 'Say hello to Ada' },
  resource: { list: true, uri: 'note://one', pattern: /^a note$/ },
  same: {
    calls: [
      ['echo', { message: 'twice' }],
      ['weather', { city: 'Köln' }],
      ['steps', { count: 3 }],
      ['ask', {}],
      ['fail', {}],
      ['weather', { city: 5 }],
    ],
    prompts: [['greet', { name: 'Ada' }]],
    resources: ['note://one'],
    errors: [
      ['call', 'no-such-tool', {}],
      ['prompt', 'no-such-prompt', {}],
      ['prompt', 'greet', {}],
      ['read', 'note://none'],
    ],
  },
}

/** Every row: a server over a transport, asked for an era, and the revision that must come of it. */
export function rows(folder) {
  const row = (server, transport, era, version, offers) => ({ server, transport, era, version, offers })
  const old = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
  return [
    ...old.map((era) => row('server-everything', 'stdio', era, era, everything)),
    row('server-everything', 'stdio', 'auto', '2025-11-25', everything),
    ...old.slice(0, 3).map((era) => row('server-everything', 'http', era, era, everything)),
    row('server-everything', 'http', 'auto', '2025-11-25', everything),
    row('server-filesystem', 'stdio', '2024-11-05', '2024-11-05', filesystem(folder)),
    row('server-filesystem', 'stdio', 'auto', '2025-11-25', filesystem(folder)),
    row('official v2', 'stdio', '2025-11-25', '2025-11-25', official),
    row('official v2', 'stdio', '2026-07-28', '2026-07-28', official),
    row('official v2', 'stdio', 'auto', '2026-07-28', official),
    row('official v2', 'http', '2025-11-25', '2025-11-25', official),
    row('official v2', 'http', '2026-07-28', '2026-07-28', official),
    row('official v2', 'http', 'auto', '2026-07-28', official),
  ]
}
