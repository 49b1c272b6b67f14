import { StatusIcon, type StatusShape } from './status-icon.tsx'

const SHAPES: Record<string, StatusShape> = {
  running: 'ring',
  completed: 'check',
  success: 'check',
  active: 'check',
  failed: 'cross',
  error: 'cross',
  canceled: 'bar',
  inactive: 'bar',
  submitted: 'dots',
  waiting: 'dots',
  degraded: 'clock',
  timeout: 'clock',
  ok: 'check',
}

interface StatusProps {
  status: string
  /** Where the word means something else than of an execution. */
  shape?: StatusShape | undefined
}

/** A status as word, shape and color: any one of them is enough to tell it. */
export function Status({ status, shape = SHAPES[status] ?? 'dots' }: StatusProps) {
  return (
    <span className="status" data-status={shape}>
      <StatusIcon shape={shape} />
      <span>{status}</span>
    </span>
  )
}
