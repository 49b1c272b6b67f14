import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManagedProcess } from '../../dev/managed-process.ts'
import { freePort } from '../../dev/ports.ts'
import { plainEnvironment } from '../../dev/servers/server-options.ts'
import { needDebianProgram } from './debian-program.ts'

export interface Sample {
  labels: Record<string, string>
  value: number
}

/** Debian's Prometheus, scraping once a second. */
export interface PrometheusServer {
  /** Asks it a question in its own language. */
  query: (expression: string) => Promise<Sample[]>
  stop: () => Promise<void>
}

const PROGRAM = '/usr/bin/prometheus'

/** Starts a Prometheus that scrapes ports of this machine. @param targets - port by name of the job. */
export async function startPrometheus(
  context: Mocha.Context,
  targets: Record<string, number>,
): Promise<PrometheusServer> {
  await needDebianProgram(context, PROGRAM, 'prometheus')
  const folder = await mkdtemp(join(tmpdir(), 'troupe-prometheus-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const jobs = Object.entries(targets).map(([job_name, target]) => ({
    job_name,
    static_configs: [{ targets: [`127.0.0.1:${target}`] }],
  }))
  const configuration = { global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: jobs }
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configuration))
  const managed = new ManagedProcess({
    name: 'prometheus',
    command: PROGRAM,
    arguments: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    environment: plainEnvironment(),
    logFile: join(folder, 'prometheus.log'),
    answers: async () => {
      const response = await fetch(`${url}/-/ready`)
      if (!response.ok) throw new Error(`Prometheus answered ${response.status}`)
    },
    startTimeoutMs: 60_000,
    stopTimeoutMs: 15_000,
  })
  const remove = () => rm(folder, { recursive: true, force: true })
  await managed.start().catch(async (error: unknown) => {
    await remove()
    throw error
  })
  return {
    query: (expression) => query(url, expression),
    stop: async () => {
      await managed.stop()
      await remove()
    },
  }
}

interface QueryAnswer {
  status: string
  data: { result: { metric: Record<string, string>; value: [number, string] }[] }
}

async function query(url: string, expression: string): Promise<Sample[]> {
  const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expression })}`)
  const { status, data } = (await response.json()) as QueryAnswer
  if (status !== 'success') throw new Error(`Prometheus did not understand ${expression}`)
  return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }))
}
