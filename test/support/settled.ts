/** The error that a promise rejects with; fails when it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown
  try {
    value = await promise
  } catch (error) {
    return error
  }
  throw new Error(`resolved with ${JSON.stringify(value)} but should have rejected`)
}

/** Lets everything run that needs no timer. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => setImmediateReal(resolve))
}

const setImmediateReal = setImmediate

/** Waits until a condition holds, in real time. */
export async function until(condition: () => boolean, what = 'the condition', withinMs = 5_000): Promise<void> {
  const end = realNow() + withinMs
  while (!condition()) {
    if (realNow() > end) throw new Error(`${what} did not come true within ${withinMs} ms`)
    await new Promise<void>((resolve) => setTimeoutReal(resolve, 2))
  }
}

const setTimeoutReal = setTimeout
const realNow = performance.now.bind(performance)
