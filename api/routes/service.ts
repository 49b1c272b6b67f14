import type Router from '@koa/router'
import { getAbout } from '../../contracts/about.ts'
import { listKeys } from '../../contracts/keys.ts'
import { createStreamTicket } from '../../contracts/stream-tickets.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { issueTicket } from '../../store/feed/stream-tickets.ts'
import type { Dependencies } from '../dependencies.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** Routes of the service's settings, its keys, and tickets for its streams. */
export function serveAbout(router: Router, deps: Dependencies): void {
  const { store, config, runs, keys } = deps

  serveEndpoint(router, deps, getAbout, async () => ({
    version: packageJson.version,
    now: new Date().toISOString(),
    temporal: {
      namespace: config.TEMPORAL_NAMESPACE,
      workflow_id_prefix: runs.workflowIdPrefix,
      ui: config.TEMPORAL_UI ?? null,
    },
    tracing: config.TRACING,
    retention_days: {
      traces: config.TRACE_RETENTION_DAYS ?? null,
      executions: config.EXECUTION_RETENTION_DAYS ?? null,
    },
    max_body_bytes: config.MAX_BODY_BYTES,
    response_offload_bytes: config.RESPONSE_OFFLOAD_BYTES,
  }))

  serveEndpoint(router, deps, listKeys, async ({ caller }) => ({
    own: { name: caller.name, role: caller.role, agents: agentsOf(caller) },
    keys:
      caller.role === 'admin'
        ? keys.list().map((key) => ({ name: key.name, role: key.role, agents: agentsOf(key), weight: key.weight }))
        : null,
  }))

  serveEndpoint(router, deps, createStreamTicket, async ({ caller }) => {
    const { ticket, expiresAt } = await issueTicket(store, caller.keyDigest, new Date())
    return { ticket, expires_at: expiresAt.toISOString() }
  })
}

function agentsOf({ agents }: { agents: readonly string[] | undefined }): string[] | null {
  return agents === undefined ? null : [...agents]
}
