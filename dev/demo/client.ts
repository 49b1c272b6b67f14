import { WebSocket } from 'ws'
import { keyHeader } from '../service-processes.ts'

/** A span of a trace stream, as far as the demo shows it. */
export interface DemoSpan {
  id: number
  name: string
  agent: string
  event_type: string
  metadata: Record<string, unknown>
}

/** The last message of a trace stream. */
export interface DemoEnd {
  status: string
  outputs: Record<string, unknown>
  error: string | null
}

/** A client of the service as anybody could write it: three requests and a WebSocket. */
export interface DemoClient {
  post: <Answer>(path: string, body: unknown) => Promise<Answer>
  /** Follows a trace stream to its end; `onSpans` gets each span once. */
  follow: (path: string, onSpans: (spans: DemoSpan[]) => void) => Promise<DemoEnd>
}

export function createClient(url: string, environment: NodeJS.ProcessEnv): DemoClient {
  const headers = keyHeader(environment)
  return {
    post: async <Answer>(path: string, body: unknown) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as Answer & { detail?: string }
      if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${answer.detail}`)
      return answer
    },
    follow: (path, onSpans) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, { headers })
        socket.on('message', (data) => {
          const { type, data: content } = JSON.parse(String(data))
          if (type === 'traces') onSpans(content.spans)
          if (type === 'error') reject(new Error(content.error))
          if (type === 'complete') resolve(content)
          if (type !== 'traces') socket.close()
        })
        socket.on('error', reject)
        socket.on('close', () => reject(new Error(`${path} was closed before its end.`)))
      }),
  }
}
