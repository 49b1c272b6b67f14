import type { Schema } from '../../../client/index.ts'

interface ChainEditorProps {
  agents: Schema<'Agent'>[]
  chain: string[]
  onChain: (chain: string[]) => void
}

/** The agents that run, one after the other: each gets what the one before answered. */
export function ChainEditor({ agents, chain, onChain }: ChainEditorProps) {
  const names = agents.map(({ name }) => name)
  return (
    <fieldset className="chain">
      <legend>{chain.length > 1 ? 'Chain of agents' : 'Agent'}</legend>
      <ol>
        {chain.map((name, index) => {
          const known = agents.find((agent) => agent.name === name)
          return (
            <li key={index}>
              <select
                aria-label={`Agent ${index + 1}`}
                value={name}
                onChange={(event) => onChain(chain.with(index, event.target.value))}
              >
                {!names.includes(name) && <option>{name}</option>}
                {names.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
              {chain.length > 1 && <StepButtons chain={chain} index={index} onChain={onChain} />}
              <span className="dim chain-goal">
                {known === undefined
                  ? 'There is no such agent.'
                  : index === 0
                    ? known.goal
                    : `gets the answer of ${chain[index - 1]}`}
                {known?.status === 'inactive' && ' · no worker hosts it now'}
              </span>
            </li>
          )
        })}
      </ol>
      <button type="button" className="quiet" onClick={() => onChain([...chain, names[0] ?? ''])}>
        + Add an agent after it
      </button>
    </fieldset>
  )
}

interface StepButtonsProps {
  chain: string[]
  index: number
  onChain: (chain: string[]) => void
}

function StepButtons({ chain, index, onChain }: StepButtonsProps) {
  const name = chain[index] ?? ''
  const swapped = (index: number, other: number): string[] => {
    const next = [...chain]
    ;[next[index], next[other]] = [next[other] as string, next[index] as string]
    return next
  }
  return (
    <span className="button-group">
      <button
        type="button"
        aria-label={`Move ${name} up`}
        disabled={index === 0}
        onClick={() => onChain(swapped(index, index - 1))}
      >
        ↑
      </button>
      <button
        type="button"
        aria-label={`Move ${name} down`}
        disabled={index === chain.length - 1}
        onClick={() => onChain(swapped(index, index + 1))}
      >
        ↓
      </button>
      <button
        type="button"
        aria-label={`Remove ${name}`}
        onClick={() => onChain(chain.filter((_, at) => at !== index))}
      >
        ✕
      </button>
    </span>
  )
}
