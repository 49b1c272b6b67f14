import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { getProgram } from '../../dev/binaries/get-program.ts'
import type { Program } from '../../dev/binaries/program.ts'
import { runCommand } from '../../dev/binaries/run-command.ts'
import { ManagedProcess } from '../../dev/managed-process.ts'
import { freePort } from '../../dev/ports.ts'
import { sayToTerminal } from '../../dev/say.ts'
import { plainEnvironment } from '../../dev/servers/server-options.ts'

/** A span as a collector passes it on, ids in hex. */
export interface CollectedSpan {
  service: string
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  /** Ms since the epoch. */
  start: number
  end: number
  attributes: Record<string, string | number | boolean>
  failed: boolean
}

/** An OpenTelemetry collector: takes OTLP as a production one does, and passes on what it understood. */
export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string
  /** Everything it got so far. */
  spans: CollectedSpan[]
  /** All that it passed on, as text. */
  raw: () => string
  stop: () => Promise<void>
}

// The last version of which all modules can be had.
const VERSION = '0.162.0'
const STABLE_VERSION = '1.68.0'

const PROGRAM: Program = {
  name: `otelcol-${VERSION}`,
  variable: 'OTELCOL_BINARY',
  ways: [
    {
      title: "building it with OpenTelemetry's builder (two to four minutes)",
      get: async (folder) => {
        const core = 'go.opentelemetry.io/collector'
        await runCommand(go(), ['install', `${core}/cmd/builder@v${VERSION}`], { environment: { GOBIN: folder } })
        const manifest = {
          dist: { name: 'otelcol', output_path: join(folder, 'otelcol') },
          receivers: [{ gomod: `${core}/receiver/otlpreceiver v${VERSION}` }],
          exporters: [{ gomod: `${core}/exporter/otlphttpexporter v${VERSION}` }],
          conf_resolver: { default_uri_scheme: 'yaml' },
          providers: [{ gomod: `${core}/confmap/provider/yamlprovider v${STABLE_VERSION}` }],
        }
        await writeFile(join(folder, 'manifest.yaml'), JSON.stringify(manifest))
        await runCommand(join(folder, 'builder'), [`--config=${join(folder, 'manifest.yaml')}`])
        return join(folder, 'otelcol', 'otelcol')
      },
    },
  ],
}

/**
 * Starts a collector on free ports; its program is built by Go where the cache has none.
 *
 * Where it cannot be had the tests of the calling hook are skipped and say so; under CI they fail instead.
 */
export async function startCollector(context: Mocha.Context): Promise<Collector> {
  context.timeout(900_000)
  const program = await findCollector().catch((error: unknown) => {
    if (process.env.CI === 'true') throw error
    sayToTerminal(`      Skipped: ${String(error)}`)
    return context.skip()
  })
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const sink = createServer(async (request, response) => {
    const body = await json(request)
    bodies.push(JSON.stringify(body))
    spans.push(...spansOf(body as OtlpTraces))
    response.setHeader('Content-Type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  const folder = await mkdtemp(join(tmpdir(), 'troupe-otelcol-'))
  const port = await freePort()
  const managed = collectorProcess({ program, folder, port, sink })
  const close = async (): Promise<void> => {
    await managed.stop()
    sink.closeAllConnections()
    await new Promise((resolve) => sink.close(resolve))
    await rm(folder, { recursive: true, force: true })
  }
  await managed.start().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return { endpoint: `http://127.0.0.1:${port}`, spans, raw: () => bodies.join('\n'), stop: close }
}

function findCollector(): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'troupe')
  const path = process.env[PROGRAM.variable] ?? join(cache, 'bin', PROGRAM.name)
  if (existsSync(path)) return Promise.resolve(path)
  const problemOf = (built: string) =>
    runCommand(built, ['components']).then(
      () => undefined,
      (error: unknown) => String(error),
    )
  return getProgram(PROGRAM, { cache, say: sayToTerminal, problemOf })
}

function go(): string {
  const usual = '/usr/local/go/bin/go'
  return existsSync(usual) ? usual : 'go'
}

interface CollectorOptions {
  program: string
  folder: string
  port: number
  sink: Server
}

function collectorProcess({ program, folder, port, sink }: CollectorOptions): ManagedProcess {
  const configuration = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: {
      otlp_http: {
        endpoint: `http://127.0.0.1:${(sink.address() as AddressInfo).port}`,
        encoding: 'json',
        compression: 'none',
      },
    },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } },
    },
  }
  return new ManagedProcess({
    name: 'collector',
    command: program,
    arguments: [`--config=yaml:${JSON.stringify(configuration)}`],
    environment: plainEnvironment(),
    logFile: join(folder, 'collector.log'),
    answers: async () => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"resourceSpans":[]}',
      })
      if (!response.ok) throw new Error(`The collector answered ${response.status}`)
    },
    startTimeoutMs: 60_000,
    stopTimeoutMs: 15_000,
  })
}

/** OTLP's JSON, as far as it is looked at. */
interface OtlpTraces {
  resourceSpans?: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      spans: {
        traceId: string
        spanId: string
        parentSpanId?: string
        name: string
        startTimeUnixNano: string
        endTimeUnixNano: string
        attributes?: Attribute[]
        status?: { code?: number }
      }[]
    }[]
  }[]
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean }
}

const ERROR = 2

function spansOf({ resourceSpans = [] }: OtlpTraces): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(plain(resource.attributes)['service.name']),
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        start: Number(span.startTimeUnixNano) / 1e6,
        end: Number(span.endTimeUnixNano) / 1e6,
        attributes: plain(span.attributes ?? []),
        failed: span.status?.code === ERROR,
      })),
    ),
  )
}

function plain(attributes: Attribute[]): CollectedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.doubleValue ?? value.boolValue ?? Number(value.intValue),
    ]),
  )
}
