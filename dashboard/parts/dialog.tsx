import { useEffect, useId, useRef, type ReactNode } from 'react'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'
import { DrawerHandle } from './drawer-handle.tsx'

interface DialogProps {
  title: string
  children: ReactNode
  onClose: () => void
  /** Slides in from the right and leaves the page usable behind it. */
  drawer?: boolean
}

/** The browser's own dialog: it keeps the focus inside, closes with Escape and gives the focus back. */
export function Dialog({ title, children, onClose, drawer = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const { drawerPx } = useStore(preferences)
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    // The browser focuses the first button: a field that is waited for comes before it.
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      className={drawer ? 'drawer' : 'dialog'}
      aria-labelledby={titleId}
      style={drawer ? { width: `min(${drawerPx}px, 100vw)` } : undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose()
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="quiet" onClick={onClose} aria-label="Close">
            ✕
          </button>
        </header>
        {children}
      </div>
      {drawer && <DrawerHandle />}
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  /** What will happen, with its number. */
  children: ReactNode
  action: string
  busy: boolean
  /** It takes nothing away. */
  harmless?: boolean | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be taken back, or is much. */
export function Confirm({ title, children, action, busy, harmless = false, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-text">{children}</div>
      <footer className="dialog-foot">
        <button type="button" onClick={onClose}>
          Leave it
        </button>
        <button type="button" className={harmless ? 'primary' : 'danger'} disabled={busy} onClick={onConfirm}>
          {busy ? 'Working …' : action}
        </button>
      </footer>
    </Dialog>
  )
}
