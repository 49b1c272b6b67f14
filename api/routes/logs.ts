import type Router from '@koa/router'
import { getContainerLogs, listContainers, type LogEntry } from '../../contracts/containers.ts'
import { parseSince } from '../containers/since.ts'
import type { Dependencies } from '../dependencies.ts'
import { jsonArray, jsonObject } from '../http/json-text.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** Routes of containers and their logs. */
export function serveLogs(router: Router, deps: Dependencies): void {
  const { containers } = deps

  serveEndpoint(router, deps, listContainers, async () => {
    const all = await containers.list()
    return { containers: all, total: all.length }
  })

  serveEndpoint(router, deps, getContainerLogs, async ({ parameters, query, responseClosed }) => {
    const since = query.since === undefined ? undefined : parseSince(query.since, new Date())
    const container = await containers.find(parameters.container_name)
    const entries = await containers.logs(container, { tail: query.tail, since }, responseClosed)
    return jsonObject({
      container: container.name,
      container_id: container.id,
      status: container.status,
      logs: jsonArray(withTimestamps(entries, query.timestamps)),
      total: entries.length,
    })
  })
}

async function* withTimestamps(entries: LogEntry[], timestamps: boolean): AsyncGenerator<LogEntry> {
  for (const entry of entries) yield timestamps ? entry : { ...entry, timestamp: '' }
}
