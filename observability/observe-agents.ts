import { SpanKind } from '@opentelemetry/api'
import type { LoadedAgent, LoadedTool } from '../agents/loaded-agent.ts'
import { shortJson } from './genai.ts'
import { withLogFields } from '../log-context.ts'
import type { ObserveOptions } from './observe-models.ts'
import { failSpan, inSpan } from './tracer.ts'
import { labelOf, toolCallSeconds } from './work-metrics.ts'

/** Wraps the agents: tool calls are measured and become `execute_tool` spans. */
export function observeAgents(agents: Map<string, LoadedAgent>, options: ObserveOptions): Map<string, LoadedAgent> {
  const observed = [...agents].map(([name, agent]): [string, LoadedAgent] => [
    name,
    { ...agent, tools: agent.tools.map((tool) => observeTool(name, tool, options)) },
  ])
  return new Map(observed)
}

/** Runs one leg of an agent's work as an `invoke_agent` span and adds log fields. */
export function inAgentSpan<Result>(agent: string, jobId: string, work: () => Promise<Result>): Promise<Result> {
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': agent,
    'gen_ai.conversation.id': jobId,
  }
  const inSpanOfAgent = () =>
    inSpan(`invoke_agent ${agent}`, { kind: SpanKind.INTERNAL, attributes }, async (span) => {
      const result = await work()
      const { status } = result as { status?: string }
      if (status !== undefined) span.setAttribute('troupe.status', status)
      if (status === 'failed') failSpan(span, 'agent_failed')
      return result
    })
  return withLogFields({ job_id: jobId }, inSpanOfAgent)
}

function observeTool(agent: string, tool: LoadedTool, { captureContent }: ObserveOptions): LoadedTool {
  const { name, execute } = tool
  const labels = { agent: labelOf.agent(agent), tool: labelOf.tool(name) }
  return {
    ...tool,
    execute: (args, context) => {
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.type': 'function',
        'gen_ai.agent.name': agent,
        'gen_ai.conversation.id': context.jobId,
      }
      return inSpan(`execute_tool ${name}`, { kind: SpanKind.INTERNAL, attributes }, async (span) => {
        const captures = captureContent && span.isRecording()
        if (captures) span.setAttribute('gen_ai.tool.call.arguments', shortJson(args))
        const startedAt = performance.now()
        let status = 'error'
        try {
          const result = await execute(args, context)
          if (captures) span.setAttribute('gen_ai.tool.call.result', shortJson(result))
          status = 'success'
          return result
        } finally {
          toolCallSeconds.observe({ ...labels, status }, (performance.now() - startedAt) / 1_000)
        }
      })
    },
  }
}
