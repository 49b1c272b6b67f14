import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import type { ProcessSpec } from '../managed-process.ts'
import { plainEnvironment, type ServerOptions } from './server-options.ts'

// Measured with one workflow of one activity on two cores: 28 a second with the stock settings, 75 to 91 with these.
const DYNAMIC_CONFIG = {
  // Stock is 20 polls a second and shard: every dispatch then waits 50 ms once a small burst is used up.
  'history.transferProcessorMaxPollRPS': 200,
  'history.timerProcessorMaxPollRPS': 200,
  // Few polls make visibility records be written in groups.
  'history.visibilityProcessorMaxPollRPS': 5,
  // Four partitions on one machine only make tasks wait where no poller looks.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // The matcher that knows priorities.
  'matching.useNewMatcher': true,
  // A worker that is frozen keeps its polls, and each takes a task with it. Stock is a minute.
  'matching.longPollExpirationInterval': '"5s"',
}

const SQLITE_PRAGMAS = { journal_mode: 'WAL', synchronous: 'NORMAL' }

const RETENTION_SECONDS = 30 * 86_400

export interface TemporalOptions extends ServerOptions {
  namespace: string
  /** Port of the web UI; without one there is none. */
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
      // The user's own Temporal settings are about other servers.
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
 * Whether API keys take turns in this database. Fairness keeps its backlog in tables of its own, and looks at no other: a
 * database that was made without it may hold work there, so it goes on without.
 */
function knowsFairness(path: string): boolean {
  const mark = join(path, 'fairness')
  if (!existsSync(join(path, 'temporal.db'))) writeFileSync(mark, '')
  return existsSync(mark)
}

/** Asks for the namespace and, since the server answers, has it keep closed workflows longer than the stock day. */
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
