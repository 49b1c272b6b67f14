import { text as readAll } from 'node:stream/consumers'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Reads a secret: from the terminal without echo, otherwise all of stdin. */
export async function readSecret(question: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) return (await readAll(process.stdin)).trim()
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return (await terminal.question('', { signal })).trim()
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
