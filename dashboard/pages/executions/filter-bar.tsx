import { useId, useState, type FormEvent } from 'react'
import { useAgents, type JobFilter } from '../../api/queries.ts'
import { preferences } from '../../live/preferences.ts'
import { recent } from '../../live/recent.ts'
import { useStore } from '../../live/store.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { completions, filterText, parseFilter, without, wordOf } from './filter-grammar.ts'

const PRESETS: { label: string; filter: JobFilter }[] = [
  { label: 'All', filter: {} },
  { label: 'Running', filter: { status: 'running' } },
  { label: 'Failed in 24 h', filter: { status: 'failed', since: '24h' } },
  { label: 'Prompts', filter: { kind: 'prompt' } },
  { label: 'Chats', filter: { kind: 'chat' } },
]

interface FilterBarProps {
  filter: JobFilter
  onFilter: (filter: JobFilter) => void
}

/** Filters as words with completion, as pills, and as presets. */
export function FilterBar({ filter, onFilter }: FilterBarProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const { data: agents = [] } = useAgents()
  const id = useId()
  function submit(event: FormEvent): void {
    event.preventDefault()
    const parsed = parseFilter(text)
    if ('problem' in parsed) return setProblem(parsed.problem)
    setProblem(undefined)
    setText('')
    onFilter({ ...filter, ...parsed.filter })
  }
  return (
    <div className="filter-bar">
      <form onSubmit={submit}>
        <label className="visually-hidden" htmlFor={id}>
          Filter
        </label>
        <input
          id={id}
          data-filter
          list={`${id}-list`}
          placeholder="status:failed agent:researcher since:1h …"
          autoComplete="off"
          spellCheck={false}
          value={text}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={(event) => setText(event.target.value)}
        />
        <datalist id={`${id}-list`}>
          {completions(
            text,
            agents.map(({ name }) => name),
          ).map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      </form>
      <Presets filter={filter} onFilter={onFilter} />
      <ColumnsMenu />
      <Pills filter={filter} onFilter={onFilter} />
      {problem !== undefined && (
        <p id={`${id}-problem`} className="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

function Presets({ filter, onFilter }: FilterBarProps) {
  const { filters: saved } = useStore(preferences)
  const text = filterText(filter)
  const batch = useStore(recent).find(({ kind }) => kind === 'batch')
  const last = batch === undefined ? [] : [{ label: 'Latest batch looked at', filter: { batch_id: batch.id } }]
  const presets = [...PRESETS, ...last, ...saved.map(presetOf)]
  const isSaved = saved.includes(text)
  const canSave = isSaved || presets.every((preset) => filterText(preset.filter) !== text)
  return (
    <div className="presets" role="group" aria-label="Presets">
      {presets.map(({ label, filter: preset }) => (
        <button key={label} type="button" aria-pressed={text === filterText(preset)} onClick={() => onFilter(preset)}>
          {label}
        </button>
      ))}
      {canSave && (
        <button
          type="button"
          className="quiet"
          onClick={() =>
            preferences.update({ filters: isSaved ? saved.filter((each) => each !== text) : [...saved, text] })
          }
        >
          {isSaved ? 'Forget this filter' : 'Save this filter'}
        </button>
      )}
    </div>
  )
}

/** A filter that was saved by an older version may have words that are none now: it filters nothing then. */
function presetOf(text: string): { label: string; filter: JobFilter } {
  const parsed = parseFilter(text)
  return { label: text, filter: 'filter' in parsed ? parsed.filter : {} }
}

function Pills({ filter, onFilter }: FilterBarProps) {
  const entries = Object.entries(filter)
  if (entries.length === 0) return null
  return (
    <div className="pills">
      {entries.map(([field, value]) => (
        <button
          key={field}
          type="button"
          className="filter-pill"
          aria-label={`Remove ${wordOf(field)}:${String(value)}`}
          onClick={() => onFilter(without(filter, field))}
        >
          {wordOf(field)}:{String(value)} ✕
        </button>
      ))}
    </div>
  )
}
