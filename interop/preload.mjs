// Preload for HTTP servers that listen on every interface and do not say where:  node --import ./preload.mjs <server>
// Binds to 127.0.0.1 and prints the bound port to stderr as `listening on 127.0.0.1:<port>`.
import net from 'node:net'

const listen = net.Server.prototype.listen
net.Server.prototype.listen = function (...args) {
  const [port, host] = args
  const isPort = typeof port === 'number' || (typeof port === 'string' && /^\d+$/.test(port))
  if (isPort) {
    this.once('listening', () => process.stderr.write(`listening on 127.0.0.1:${this.address().port}\n`))
    const rest = typeof host === 'string' ? args.slice(2) : args.slice(1)
    return listen.call(this, Number(port), '127.0.0.1', ...rest)
  }
  return listen.apply(this, args)
}
