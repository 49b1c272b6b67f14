import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'

// Forwards ports of this machine to servers in containers, for tests: forward.ts <port>=<address> …, until it is stopped. The
// port of the address is the same.

for (const argument of process.argv.slice(2)) {
  const [port, host] = argument.split('=')
  createServer((inner) => {
    const outer = connect(Number(port), host)
    pipeline(inner, outer, inner, () => {})
  }).listen(Number(port), '127.0.0.1')
}
