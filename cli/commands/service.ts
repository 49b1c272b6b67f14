import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { paintStatus } from '../terminal.ts'

/** `troupe health`: exits 1 when the service is degraded. */
export async function health({ troupe, terminal, settings, signal }: Context): Promise<number> {
  const found = await troupe.health({ signal })
  const { status, version, components } = found
  if (terminal.options.json) terminal.document(found)
  else {
    terminal.line(`status\t${paintStatus(status, status)}`)
    terminal.line(`address\t${settings.url}`)
    terminal.line(`version\t${version}`)
    const { tracing, ...servers } = components
    for (const [name, value] of Object.entries(servers)) terminal.line(`${name}\t${value}`)
    terminal.line(`tracing\t${tracing.backend}`)
  }
  return status === 'ok' ? EXIT.ok : EXIT.failed
}

/** `troupe metrics`. */
export async function metrics({ troupe, terminal, signal }: Context): Promise<number> {
  const found = await troupe.metrics({ signal })
  if (terminal.options.json) terminal.document(found)
  else for (const [name, value] of Object.entries(found)) terminal.line(`${name}\t${value}`)
  return EXIT.ok
}
