import type { LiveAnswer } from '../../client/index.ts'
import { formatCount } from './format.ts'

/** Answers that are shown at once, and the end of each that is. */
const SHOWN = 4
const TAIL = 6_000

/** Answers while models write them; the event of each call takes its place. Nobody is told of every word. */
export function LiveText({ answers }: { answers: LiveAnswer[] }) {
  if (answers.length === 0) return null
  const more = answers.length - SHOWN
  return (
    <section className="live" aria-label="What is written now" aria-live="off">
      {answers.slice(0, SHOWN).map((answer) => (
        <Answer key={`${answer.job_id}|${answer.step}`} answer={answer} />
      ))}
      {more > 0 && <p className="dim">and {formatCount(more)} more write</p>}
    </section>
  )
}

function Answer({ answer }: { answer: LiveAnswer }) {
  const { agent_name, text, toolInput, reasoning } = answer
  const kind = text !== '' ? 'text' : toolInput !== '' ? 'tool' : 'reasoning'
  const shown = { text, tool: toolInput, reasoning }[kind]
  return (
    <div className="live-answer" data-live={kind}>
      <p className="live-head">
        <strong>{agent_name}</strong>
        <span className="dim number">
          {{ text: 'writes', tool: 'writes to a tool', reasoning: 'thinks' }[kind]} · {formatCount(shown.length)}{' '}
          characters
        </span>
      </p>
      {/* In the reverse direction what scrolls stays at its end while that grows. What scrolls must be reachable by keys. */}
      <div className="live-words" tabIndex={0} role="group" aria-label={`What ${agent_name} writes`}>
        <p>{shown.length > TAIL ? `… ${shown.slice(-TAIL)}` : shown}</p>
      </div>
    </div>
  )
}
