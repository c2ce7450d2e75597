/** The CPU time (user and system, all threads) and the wall time of this process since `start()`. */
export function start() {
  const cpu = process.cpuUsage()
  const wall = process.hrtime.bigint()
  return () => {
    const wallMs = Number(process.hrtime.bigint() - wall) / 1e6
    const { user, system } = process.cpuUsage(cpu)
    return { cpu: (user + system) / 1e3, wall: wallMs }
  }
}

/** Long enough for what a client does behind a call (a body that ends, a notification that goes out) to be counted too. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 30))
