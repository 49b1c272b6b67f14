import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { notify } from '../shell/toasts.tsx'
import { Confirm } from './dialog.tsx'

interface ConfirmButtonProps {
  label: string
  title: string
  /** What the button of the question says: with the number of what it is done to. */
  action: string
  /** What will happen. */
  children: ReactNode
  /** Does it, and gives the sentence that tells what came of it. */
  run: () => Promise<string>
  /** The key that presses it. */
  shortcut?: string
  /** It takes nothing away. */
  harmless?: boolean
}

/** A button that asks before it does what cannot be taken back, or what is much. */
export function ConfirmButton({ label, title, action, children, run, shortcut, harmless }: ConfirmButtonProps) {
  const [asked, setAsked] = useState(false)
  const work = useMutation({
    mutationFn: run,
    onSuccess: notify,
    onError: (error) => notify(error.message),
    onSettled: () => setAsked(false),
  })
  return (
    <>
      <button
        type="button"
        className={harmless ? undefined : 'danger'}
        data-shortcut={shortcut}
        onClick={() => setAsked(true)}
      >
        {label}
      </button>
      {asked && (
        <Confirm
          title={title}
          action={action}
          busy={work.isPending}
          harmless={harmless}
          onConfirm={() => work.mutate()}
          onClose={() => setAsked(false)}
        >
          {children}
        </Confirm>
      )}
    </>
  )
}
