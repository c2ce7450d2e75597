/** Somebody pressed Ctrl-C, or asked the process to end. */
export class Interrupted extends Error {
  /** The call was on its way. */
  sent = false

  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}
