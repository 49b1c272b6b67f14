import { LiveAnswers } from '../../client/index.ts'
import { session, troupe } from '../api/session.ts'
import { answerText } from '../parts/answer-text.ts'
import { wordOfType } from '../waterfall/event-words.ts'
import { Store } from './store.ts'

const STORAGE_NAME = 'troupe.chat'

/** A message, and what came of it. */
export interface Turn {
  message: string
  taskId: string | undefined
  status: 'running' | 'completed' | 'failed' | 'canceled'
  /** What the agent is doing, while it runs, or writes; then its answer. */
  text: string
  /** Whether it is what a model writes at the moment. */
  isLive?: boolean
}

/** By the key in use and the agent. */
const chats = new Map<string, ChatStore>()

/** The conversation with an agent: it goes on while another page is looked at, and is there again after a reload. */
export function chatWith(agent: string): ChatStore {
  const name = `${session.state.key ?? ''} ${agent}`
  const chat = chats.get(name) ?? new ChatStore(agent)
  chats.set(name, chat)
  return chat
}

/** What was said to an agent from this tab, and what it answered. */
class ChatStore extends Store<Turn[]> {
  readonly #agent: string
  readonly #name: string

  constructor(agent: string) {
    super([])
    this.#agent = agent
    this.#name = `${STORAGE_NAME}.${agent}`
    for (const { message, taskId } of this.#stored()) void this.#turn(message, async () => taskId)
  }

  /** Sends a message, and follows what comes of it. */
  send(message: string): void {
    void this.#turn(message, async () => {
      const { task_id: taskId } = await troupe().request('post', '/api/agents/{agent_name}/chat', {
        path: { agent_name: this.#agent },
        body: { message, wait: false },
        idempotencyKey: crypto.getRandomValues(new Uint32Array(4)).join('-'),
      })
      return taskId
    })
  }

  /** Begins again; the executions stay. */
  clear(): void {
    this.set([])
    sessionStorage.removeItem(this.#name)
  }

  async #turn(message: string, begin: () => Promise<string>): Promise<void> {
    let turn: Turn = { message, taskId: undefined, status: 'running', text: 'Sending …' }
    const change = (part: Partial<Turn>): void => {
      const next = { ...turn, ...part }
      this.set(this.state.map((each) => (each === turn ? next : each)))
      turn = next
    }
    this.set([...this.state, turn])
    try {
      const taskId = await begin()
      change({ taskId, text: 'Waiting for a worker …' })
      this.#store()
      await follow(taskId, change)
    } catch (error) {
      change({ status: 'failed', text: (error as Error).message, isLive: false })
    }
  }

  /** What was said can be read again from the service. */
  #store(): void {
    const sent = this.state.flatMap(({ message, taskId }) => (taskId === undefined ? [] : [{ message, taskId }]))
    sessionStorage.setItem(this.#name, JSON.stringify(sent))
  }

  #stored(): { message: string; taskId: string }[] {
    return JSON.parse(sessionStorage.getItem(this.#name) ?? '[]') as { message: string; taskId: string }[]
  }
}

async function follow(taskId: string, change: (part: Partial<Turn>) => void): Promise<void> {
  const live = new LiveAnswers()
  for await (const event of troupe().prompts.stream(taskId, { payload: 'none', deltas: true })) {
    const isChanged = live.accept(event)
    const last = event.type === 'spans' ? event.spans.at(-1) : undefined
    const [answer] = live.all
    if (isChanged && answer?.text) change({ text: answer.text, isLive: true })
    else if (last !== undefined) change({ text: `${wordOfType(last.event_type)}: ${last.name} …`, isLive: false })
  }
  const { status, outputs, error } = await troupe().prompts.get(taskId)
  change({ status, text: error ?? answerText(outputs), isLive: false })
}
