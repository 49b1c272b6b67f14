import { useNavigate } from '@tanstack/react-router'
import { useId, useState, type KeyboardEvent } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { findId } from './find-id.ts'
import { matchingChoices, type Choice } from './palette-choices.ts'
import { notify } from './toasts.tsx'
import { useChoices } from './use-choices.ts'

/** One field that leads everywhere: pages, agents, what was looked at last, any id, and what can be done. */
export function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const navigate = useNavigate()
  const all = useChoices(onHelp)
  const wanted = text.trim()
  async function open(): Promise<void> {
    const found = await findId(wanted).catch((error: Error) => error)
    if (found === undefined) notify(`Nothing here is called “${wanted.slice(0, 60)}”.`)
    else if (found instanceof Error) notify(found.message)
    else if (found.kind === 'batch') await navigate({ to: '/batches/$id', params: { id: found.id } })
    else await navigate({ to: '/executions/$id', params: { id: found.id } })
  }
  const toId: Choice = { label: `Go to “${wanted.slice(0, 60)}”`, kind: 'id', run: open }
  const choices = wanted === '' ? matchingChoices(all, '') : [...matchingChoices(all, wanted), toId]
  const at = Math.min(active, choices.length - 1)
  function choose(choice: Choice | undefined): void {
    onClose()
    void choice?.run()
  }
  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') choose(choices[at])
    else if (step === undefined) return
    else setActive((at + step + choices.length) % choices.length)
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Page, agent, id or action"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${at}`}
        placeholder="A page, an agent, an id, something to do …"
        autoComplete="off"
        spellCheck={false}
        data-first
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKey}
      />
      <Choices id={id} choices={choices} at={at} onPoint={setActive} onChoose={choose} />
    </Dialog>
  )
}

interface ChoicesProps {
  id: string
  choices: Choice[]
  at: number
  onPoint: (index: number) => void
  onChoose: (choice: Choice) => void
}

function Choices({ id, choices, at, onPoint, onChoose }: ChoicesProps) {
  return (
    <ul id={id} role="listbox" aria-label="Choices" className="palette">
      {choices.map((choice, index) => (
        <li
          key={`${choice.kind} ${choice.label}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          onPointerMove={() => onPoint(index)}
          onClick={() => onChoose(choice)}
        >
          <span>{choice.label}</span>
          <span className="dim">{choice.kind}</span>
        </li>
      ))}
    </ul>
  )
}
