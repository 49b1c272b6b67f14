import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'

// Makes servers in containers answer on this machine, where tests look for them: forward.ts <port>=<address> …, until it is
// ended. An address has the same port.

for (const argument of process.argv.slice(2)) {
  const [port, host] = argument.split('=')
  createServer((inner) => {
    const outer = connect(Number(port), host)
    pipeline(inner, outer, inner, () => {})
  }).listen(Number(port), '127.0.0.1')
}
