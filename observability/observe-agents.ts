import { SpanKind } from '@opentelemetry/api'
import type { LoadedAgent, LoadedTool } from '../agents/loaded-agent.ts'
import { shortJson } from './genai.ts'
import type { ObserveOptions } from './observe-models.ts'
import { inSpan } from './tracer.ts'
import { labelOf, toolCallSeconds } from './work-metrics.ts'

/**
 * The same agents; their tools' calls are measured and are `execute_tool` spans, and an agent of plain code is an
 * `invoke_agent` span. (A model agent lives longer than any activity: its span is the workflow's.)
 */
export function observeAgents(agents: Map<string, LoadedAgent>, options: ObserveOptions): Map<string, LoadedAgent> {
  return new Map([...agents].map(([name, agent]) => [name, observeAgent(agent, options)]))
}

function observeAgent(agent: LoadedAgent, options: ObserveOptions): LoadedAgent {
  const { name, run } = agent
  const observed = { ...agent, tools: agent.tools.map((tool) => observeTool(name, tool, options)) }
  if (run === undefined) return observed
  return {
    ...observed,
    run: (inputs, context) => {
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': name,
        'gen_ai.conversation.id': context.jobId,
      }
      return inSpan(`invoke_agent ${name}`, { kind: SpanKind.INTERNAL, attributes }, async () => run(inputs, context))
    },
  }
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
