import { Store, useStore } from '../live/store.ts'

const SHOWN_MS = 5_000

interface Toast {
  id: number
  text: string
}

const toasts = new Store<Toast[]>([])
let lastId = 0

/** Says something in passing. */
export function notify(text: string): void {
  const id = ++lastId
  toasts.set([...toasts.state.slice(-2), { id, text }])
  setTimeout(() => toasts.set(toasts.state.filter((toast) => toast.id !== id)), SHOWN_MS)
}

/** Where it is said. */
export function Toasts() {
  return (
    <div className="toasts" role="status" aria-live="polite">
      {useStore(toasts).map(({ id, text }) => (
        <div key={id} className="toast">
          {text}
        </div>
      ))}
    </div>
  )
}
