import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { troupe } from '../../api/session.ts'
import { chatWith, type Turn } from '../../live/chat-store.ts'
import { useStore } from '../../live/store.ts'
import { Answer, AnswerForm } from '../../parts/answer.tsx'
import { shortId } from '../../parts/format.ts'
import { LongText } from '../../parts/long-text.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ReadOnlyNote } from '../../parts/read-only-note.tsx'
import { Status } from '../../parts/status.tsx'

interface ChatProps {
  agent: string
  active: boolean
  /** Whether the agent takes a message. */
  fits: boolean
  /** The message whose steps are shown beside it. */
  shown: string | undefined
  onShow: (taskId: string) => void
}

/** Talks to an agent; each message is an execution of its own. */
export function Chat({ agent, active, fits, shown, onShow }: ChatProps) {
  const chat = chatWith(agent)
  const turns = useStore(chat)
  const [draft, setDraft] = useState('')
  const end = useRef<HTMLDivElement>(null)
  const running = turns.at(-1)?.status === 'running' ? turns.at(-1) : undefined
  const runningId = running?.taskId
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [turns])
  useEffect(() => {
    if (runningId !== undefined) onShow(runningId)
  }, [runningId, onShow])
  function submit(event: FormEvent | KeyboardEvent): void {
    event.preventDefault()
    const message = draft.trim()
    if (message === '' || running !== undefined) return
    setDraft('')
    chat.send(message)
  }
  return (
    <Panel
      title="Chat"
      actions={turns.length > 0 && <ChatActions running={running !== undefined} onClear={() => chat.clear()} />}
    >
      <ReadOnlyNote />
      <ChatNote {...{ agent, active, fits }} />
      <div className="chat" role="log" aria-label="Conversation" tabIndex={0}>
        {turns.length === 0 && (
          <p className="dim">Ask it something. Each message is an execution of its own, with a trace.</p>
        )}
        {turns.map((turn, index) => (
          <ChatTurn key={index} turn={turn} isShown={turn.taskId === shown} onShow={onShow} />
        ))}
        <div ref={end} />
      </div>
      <form className="chat-form" onSubmit={submit}>
        <textarea
          aria-label="Message"
          rows={2}
          placeholder="Message (Enter sends, Shift+Enter begins a line)"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) submit(event)
          }}
        />
        <SendOrStop running={running} />
      </form>
    </Panel>
  )
}

function ChatActions({ running, onClear }: { running: boolean; onClear: () => void }) {
  return (
    <>
      <AnswerForm />
      {!running && (
        <button type="button" className="quiet" onClick={onClear}>
          Begin again
        </button>
      )}
    </>
  )
}

/** Why a message may get no answer. */
function ChatNote({ agent, active, fits }: Pick<ChatProps, 'agent' | 'active' | 'fits'>) {
  if (!active) return <p className="note">No worker hosts this agent now; a message waits until one does.</p>
  if (fits) return null
  return (
    <p className="note">
      It takes other inputs than a message:{' '}
      <Link to="/playground" search={{ agent }}>
        the playground has a form for them
      </Link>
      .
    </p>
  )
}

/** While it answers, the button stops it. */
function SendOrStop({ running }: { running: Turn | undefined }) {
  return running?.taskId !== undefined ? (
    <button type="button" className="danger" onClick={() => void troupe().prompts.cancel(running.taskId ?? '')}>
      Stop
    </button>
  ) : (
    <button type="submit" className="primary" disabled={running !== undefined}>
      Send
    </button>
  )
}

interface ChatTurnProps {
  turn: Turn
  isShown: boolean
  onShow: (taskId: string) => void
}

function ChatTurn({ turn, isShown, onShow }: ChatTurnProps) {
  const { message, taskId, status, text, isLive = false } = turn
  function showSteps(): void {
    if (taskId !== undefined) onShow(taskId)
    // On a phone they are below the chat.
    document.querySelector('#steps')?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <p className="chat-mine">
        <LongText text={message} />
      </p>
      <div className="chat-theirs" data-status={status}>
        {status === 'completed' ? (
          <Answer text={text} />
        ) : (
          <p
            className={status === 'running' && !isLive ? 'as-written dim' : 'as-written'}
            data-live={isLive || undefined}
          >
            {text}
          </p>
        )}
        <p className="dim chat-foot">
          <Status status={status} />
          {taskId !== undefined && (
            <>
              <Link to="/executions/$id" params={{ id: taskId }}>
                {shortId(taskId)}
              </Link>
              <button type="button" className="link" aria-pressed={isShown} onClick={showSteps}>
                Steps
              </button>
            </>
          )}
        </p>
      </div>
    </>
  )
}
