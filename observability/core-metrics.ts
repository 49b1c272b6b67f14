import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** The metrics of the Temporal SDK's native part, which serves them itself. */
export interface CoreMetrics {
  /** For its telemetry options: a loopback address. */
  bindAddress: string
  /** The metrics as Prometheus reads them; empty while they cannot be had. */
  read: () => Promise<string>
}

const TIMEOUT_MS = 2_000

/** Finds the native part a port on the loopback interface; its metrics become part of the process's own page. */
export async function coreMetrics(): Promise<CoreMetrics> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const url = `http://127.0.0.1:${port}/metrics`
  return {
    bindAddress: `127.0.0.1:${port}`,
    read: async () => {
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
        return response.ok ? await response.text() : ''
      } catch {
        return ''
      }
    },
  }
}
