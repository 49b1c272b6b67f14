import { useId, type KeyboardEvent, type ReactNode } from 'react'

interface TabsProps<Id extends string> {
  tabs: readonly { id: Id; label: string }[]
  selected: Id
  onSelect: (id: Id) => void
  children: ReactNode
}

/** Parts of a page of which one is shown; arrows lead from one to the next. */
export function Tabs<Id extends string>({ tabs, selected, onSelect, children }: TabsProps<Id>) {
  const base = useId()
  function onKey(event: KeyboardEvent<HTMLDivElement>): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = tabs.findIndex(({ id }) => id === selected)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onSelect(next.id)
    document.getElementById(`${base}-${next.id}`)?.focus()
  }
  return (
    <>
      <div role="tablist" className="tabs" onKeyDown={onKey}>
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === selected}
            aria-controls={`${base}-panel`}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${selected}`} className="tab-panel">
        {children}
      </div>
    </>
  )
}
