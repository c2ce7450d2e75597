/** A question that a configuration asks before a server can be reached. */
export interface ConfigInput {
  readonly id: string
  /** What to ask. */
  readonly description?: string | undefined
  /** What to suggest. */
  readonly default?: string | undefined
  /** The answer is a secret. */
  readonly password: boolean
  /** The answers there are; any text where undefined. */
  readonly options?: readonly string[] | undefined
}

/** Answers a question of a configuration; undefined is no answer. */
export type AnswerInput = (input: ConfigInput) => Promise<string | undefined> | string | undefined

/** What an agreement is about. */
export interface Agreeable {
  readonly name: string
  readonly origin: { readonly file?: string | undefined }
  /** As it stands in the file. */
  readonly raw: unknown
  /** What is agreed to, whole: the command or URL with all that stands in the file about it. */
  readonly agreement?: string | undefined
}

/** What reading a configuration needs to know of the machine. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  /** The home folder. */
  readonly home: string | undefined
  /** The working folder. */
  readonly cwd: string | undefined
  /** The path of a file or folder, absolute, seen from another folder. */
  readonly resolve: (folder: string, path: string) => string
  /** The text of a file, bounded; rejects with a `ConfigError`. */
  readonly readText: (path: string) => Promise<string>
  /** The variables of a file with lines `NAME=value`; rejects with a `ConfigError`. */
  readonly readVariables: (path: string) => Promise<Readonly<Record<string, string>>>
  /** Somebody agreed to this server, of this file, as it stands there now. */
  readonly isAgreed: (server: Agreeable) => Promise<boolean>
}
