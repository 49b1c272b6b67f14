import { LiveAnswers, type Schema } from '../../client/index.ts'
import { session, troupe } from '../api/session.ts'
import { answerText } from '../parts/answer-text.ts'
import { notify } from '../shell/toasts.tsx'
import { wordOfType } from '../waterfall/event-words.ts'
import { keep, kept } from './kept.ts'
import { Store } from './store.ts'

const STORAGE_NAME = 'troupe.chat'
/** Of a read: a service that is away for a moment ends no conversation. */
const RETRIES = 8

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

type Change = (part: Partial<Turn>) => void

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
    for (const taskId of this.#kept()) this.#recall(taskId)
  }

  /** Sends a message, and follows what comes of it. */
  send(message: string): void {
    void this.#turn({ message, taskId: undefined, text: 'Sending …' }, async (change) => {
      const { task_id: taskId } = await troupe().request('post', '/api/agents/{agent_name}/chat', {
        path: { agent_name: this.#agent },
        body: { message, wait: false },
        idempotencyKey: crypto.getRandomValues(new Uint32Array(4)).join('-'),
      })
      change({ taskId, text: 'Waiting for a worker …' })
      this.#keep()
      await follow(taskId, change)
    })
  }

  /** Begins again; the executions stay. */
  clear(): void {
    this.set([])
    this.#keep()
  }

  /** What was said earlier is read from the service, which has it whole. */
  #recall(taskId: string): void {
    void this.#turn({ message: '…', taskId, text: 'Reading …' }, async (change) => {
      const found = await troupe().prompts.get(taskId, { retries: RETRIES })
      change({ message: String(found.inputs.message) })
      if (found.status === 'running') await follow(taskId, change)
      else change(endOf(found))
    })
  }

  async #turn(first: Omit<Turn, 'status'>, work: (change: Change) => Promise<void>): Promise<void> {
    let turn: Turn = { status: 'running', ...first }
    const change: Change = (part) => {
      const next = { ...turn, ...part }
      this.set(this.state.map((each) => (each === turn ? next : each)))
      turn = next
    }
    this.set([...this.state, turn])
    try {
      await work(change)
    } catch (error) {
      change({ status: 'failed', text: (error as Error).message, isLive: false })
    }
  }

  /** Only which executions there are: a tab keeps a few megabytes, and one message may have more. */
  #keep(): void {
    const ids = this.state.flatMap(({ taskId }) => taskId ?? [])
    if (!keep('tab', this.#name, ids)) notify('The browser has no room left: a reload of this tab forgets the chat.')
  }

  #kept(): string[] {
    const ids = kept('tab', this.#name)
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  }
}

async function follow(taskId: string, change: Change): Promise<void> {
  const live = new LiveAnswers()
  for await (const event of troupe().prompts.stream(taskId, { payload: 'none', deltas: true })) {
    const isChanged = live.accept(event)
    const last = event.type === 'spans' ? event.spans.at(-1) : undefined
    const [answer] = live.all
    if (isChanged && answer?.text) change({ text: answer.text, isLive: true })
    else if (last !== undefined) change({ text: `${wordOfType(last.event_type)}: ${last.name} …`, isLive: false })
  }
  change(endOf(await troupe().prompts.get(taskId, { retries: RETRIES })))
}

function endOf({ status, error, outputs }: Schema<'Prompt'>): Partial<Turn> {
  return { status, text: error ?? answerText(outputs), isLive: false }
}
