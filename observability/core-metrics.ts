import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** The metrics of the Temporal SDK's native part, which serves them itself. */
export interface CoreMetrics {
  /** A loopback address for the telemetry options. */
  bindAddress: string
  /** The metrics in Prometheus's format; empty if they are unavailable. */
  read: () => Promise<string>
}

const TIMEOUT_MS = 2_000

/** Chooses a loopback port for the native part; its metrics become part of the process's own page. */
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
