import { RpcError } from '../../errors.ts'
import { INVALID_PARAMS } from '../../jsonrpc/error-code.ts'
import type { Params } from '../../jsonrpc/message.ts'

const ROOT = 'skill://demo/count-words'
const DESCRIPTION = 'Counts the words of a text. Use it when somebody asks how long a text is.'

/** The files of the one skill, by URI. */
const FILES: ReadonlyMap<unknown, string> = new Map([
  [
    `${ROOT}/SKILL.md`,
    `---
name: count-words
description: ${DESCRIPTION}
---

Count what stands between blanks. [The rules](references/RULES.md) say what a word is not.
`,
  ],
  [`${ROOT}/references/RULES.md`, 'Numbers are words; marks alone are none.\n'],
])

// Written out, so that nothing is computed in a server that may be started thousands of times.
const ENTRY: Params = {
  uri: `${ROOT}/SKILL.md`,
  frontmatter: { name: 'count-words', description: DESCRIPTION },
  resources: [
    { uri: `${ROOT}/SKILL.md`, digest: 'sha256:07d08d6370e40de6c3700f957a06549538ec90c760126ee2755b0f9991f18da8', size: 205 },
    { uri: `${ROOT}/references/RULES.md`, digest: 'sha256:dc1868c9bbc9bf902bad53bef42a6718e757e56cfd70f1ee5d70a57c1ca38f19', size: 41 },
  ],
}

/** The methods of the skills extension, for clients that declare it. */
export const SKILL_METHODS: Readonly<Record<string, (params: Params) => Params>> = {
  'skills/list': () => ({ skills: [ENTRY] }),
  'skills/get': ({ uri }) => {
    if (uri !== ENTRY.uri) throw new RpcError(INVALID_PARAMS, 'there is no such skill', { uri })
    return { skill: ENTRY }
  },
}

/** A file of a skill, which is a resource that is not listed. */
export function skillFile(uri: string): Params | undefined {
  const text = FILES.get(uri)
  return text === undefined ? undefined : { uri, mimeType: 'text/markdown', text }
}
