/** The command line cannot be carried out as it stands. Nothing was sent. */
export class UsageError extends Error {
  /** What to write instead. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.name = 'UsageError'
    this.hint = hint
  }
}
