import { randomBytes } from 'node:crypto'
import { diag, DiagLogLevel, SpanKind, type DiagLogFunction } from '@opentelemetry/api'
import type { InjectedSinks } from '@temporalio/worker'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import packageJson from '../package.json' with { type: 'json' }
import { withoutLogFields } from '../log-context.ts'
import type { PlannedSpan } from './planned-span.ts'
import { failSpan, recordSpan } from './tracer.ts'
import type { TraceSinks } from './workflow-trace.ts'

/** The export of spans from this process. */
export interface Tracing {
  /** Exports the remaining spans; resolves when that is done or was given up. */
  close: () => Promise<void>
}

const MAX_REASON_CHARACTERS = 300

/** Ids of spans: random, except for an id that a workflow has planned. */
const ids = {
  planned: undefined as string | undefined,
  generateTraceId: () => randomBytes(16).toString('hex'),
  generateSpanId: () => ids.planned ?? randomBytes(8).toString('hex'),
}

/**
 * With TRACING=external, loads OpenTelemetry's SDK, which takes the rest from the standard OTEL_* variables (exporter,
 * endpoint, headers, sampler, resource attributes …; OTLP over HTTP to localhost:4318 without any). Otherwise nothing is
 * loaded.
 * @param name - the process: becomes service.name `troupe-<name>` unless OTEL_SERVICE_NAME says something else.
 */
export async function startTracing({ TRACING }: Config, name: 'api' | 'worker', log: Log): Promise<Tracing> {
  if (TRACING !== 'external') return { close: () => Promise.resolve() }
  reportProblems(log)
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources')
  const sdk = new NodeSDK({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': `troupe-${name}`, 'service.version': packageJson.version }),
    ),
    idGenerator: ids,
    // Metrics go to Prometheus and logs to stdout instead.
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  return { close: () => sdk.shutdown().catch(() => undefined) }
}

/** Export errors go to the log and have no other effect. */
function reportProblems(log: Log): void {
  const warn: DiagLogFunction = (message) => {
    const reason = message.slice(0, MAX_REASON_CHARACTERS)
    withoutLogFields(() => log.warn({ reason }, 'OpenTelemetry reported a problem'))
  }
  const ignore: DiagLogFunction = () => {}
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
}

/** The worker's sink for spans of workflows. */
export const traceSinks: InjectedSinks<TraceSinks> = {
  tracing: { spanEnded: { callDuringReplay: false, fn: (_info, span) => makeSpan(span) } },
}

function makeSpan({ name, spanId, parentSpanId, startMs, endMs, attributes, error, ...place }: PlannedSpan): void {
  ids.planned = spanId
  const above = { ...place, spanId: parentSpanId }
  const span = recordSpan(name, { kind: SpanKind.INTERNAL, attributes, above, startMs })
  ids.planned = undefined
  if (error !== undefined) failSpan(span, error)
  span.end(endMs)
}
