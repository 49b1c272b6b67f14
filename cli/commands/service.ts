import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { paintStatus } from '../terminal.ts'

/** `troupe health`: exits 1 when the service is degraded. */
export async function health({ troupe, terminal, settings, signal }: Context): Promise<number> {
  const found = await troupe.health({ signal })
  const { status, version, components, unreachable = [] } = found
  if (terminal.options.json) terminal.document(found)
  else {
    const { tracing, ...servers } = components
    terminal.record([
      ['status', paintStatus(status, status)],
      ['address', settings.url],
      ['version', version],
      ...Object.entries(servers),
      ['tracing', tracing.backend],
      ...(unreachable.length === 0 ? [] : [['unreachable', unreachable.join(', ')] as [string, string]]),
    ])
  }
  return status === 'ok' ? EXIT.ok : EXIT.failed
}

/** `troupe metrics`. */
export async function metrics({ troupe, terminal, signal }: Context): Promise<number> {
  const found = await troupe.metrics({ signal })
  if (terminal.options.json) terminal.document(found)
  else terminal.record(Object.entries(found).map(([name, value]) => [name, String(value)]))
  return EXIT.ok
}
