import type { StandardSchema } from './standard-schema.ts'

/** How a result is handed out. */
export interface ResultOptions<Data = unknown> {
  /** A tool that failed rejects with `ToolError` instead of resolving with an error result. Default: the client's. */
  throwOnToolError?: boolean | undefined
  /**
   * Types and parses `data`: a schema of Zod, Valibot, ArkType or any other with the common interface. What does not fit rejects with
   * `ValidationError`, which holds the `result`. The `data` of a failed tool's result is then undefined.
   */
  output?: StandardSchema<Data> | undefined
}
