/** Whether the host of a URL, as `URL` writes it, is this machine: nothing sent there leaves it. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    // An IPv4 address within IPv6 is written in hexadecimal: 127 is 7f.
    /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(name) ||
    /^127\.\d+\.\d+\.\d+$/.test(name)
  )
}
