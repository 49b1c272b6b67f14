import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import type { ProcessSpec } from '../managed-process.ts'
import { plainEnvironment, type ServerOptions } from './server-options.ts'

// Measured with workflows of one activity on two cores: 28 per second with the default settings, 75 to 91 with these.
const DYNAMIC_CONFIG = {
  // With the default of 20 polls per second and shard, every dispatch after a small burst waits 50 ms.
  'history.transferProcessorMaxPollRPS': 200,
  'history.timerProcessorMaxPollRPS': 200,
  // Fewer polls, so that visibility records are written in groups.
  'history.visibilityProcessorMaxPollRPS': 5,
  // With the default of four partitions, tasks on a single machine wait in partitions without a poller.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // The matcher with priorities.
  'matching.useNewMatcher': true,
  // How long a frozen worker keeps its polls, each of which may take a task. The default is a minute.
  'matching.longPollExpirationInterval': '"5s"',
}

const SQLITE_PRAGMAS = { journal_mode: 'WAL', synchronous: 'NORMAL' }

const RETENTION_SECONDS = 30 * 86_400

export interface TemporalOptions extends ServerOptions {
  namespace: string
  /** Port of the web UI; no UI when omitted. */
  uiPort?: number
}

/** The Temporal development server on a SQLite file. */
export function temporalSpec({ binary, port, dataDir, logDir, namespace, uiPort }: TemporalOptions): ProcessSpec {
  const path = join(dataDir, 'temporal')
  mkdirSync(path, { recursive: true })
  const settings = { ...DYNAMIC_CONFIG, 'matching.enableFairness': knowsFairness(path) }
  const address = `127.0.0.1:${port}`
  return {
    name: 'temporal',
    command: binary,
    arguments: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--namespace', namespace],
      ...['--db-filename', join(path, 'temporal.db'), '--log-level', 'warn', '--log-format', 'json'],
      // Ignores the user's Temporal settings, which are for other servers.
      ...['--disable-config-file', '--disable-config-env'],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
      ...Object.entries(settings).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
      ...Object.entries(SQLITE_PRAGMAS).flatMap(([key, value]) => ['--sqlite-pragma', `${key}=${value}`]),
    ],
    environment: plainEnvironment(),
    logFile: join(logDir, 'temporal.log'),
    answers: () => namespaceAnswers(address, namespace),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 10_000,
  }
}

/**
 * Whether fairness between API keys is enabled in this database. Fairness uses separate tables for its backlog: in a database
 * that was created without it, work in the other tables would be ignored, so it stays disabled there.
 */
function knowsFairness(path: string): boolean {
  const mark = join(path, 'fairness')
  if (!existsSync(join(path, 'temporal.db'))) writeFileSync(mark, '')
  return existsSync(mark)
}

/** Readiness check: reads the namespace, and sets a longer retention of closed workflows than the default day. */
async function namespaceAnswers(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '1s' })
  try {
    await connection.withDeadline(Date.now() + 2_000, async () => {
      const { config } = await connection.workflowService.describeNamespace({ namespace })
      if (Number(config?.workflowExecutionRetentionTtl?.seconds) === RETENTION_SECONDS) return
      await connection.workflowService.updateNamespace({
        namespace,
        config: { workflowExecutionRetentionTtl: { seconds: RETENTION_SECONDS as never } },
      })
    })
  } finally {
    await connection.close()
  }
}
