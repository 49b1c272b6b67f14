const PATHS = {
  ring: <circle cx="8" cy="8" r="5" fill="none" strokeWidth="2.5" strokeDasharray="22 10" />,
  check: <path d="M3 8.5 6.5 12 13 4.5" fill="none" strokeWidth="2.5" />,
  cross: <path d="M4 4 12 12M12 4 4 12" fill="none" strokeWidth="2.5" />,
  bar: <path d="M3 8H13" fill="none" strokeWidth="3" />,
  dots: <path d="M3 8h.01M8 8h.01M13 8h.01" fill="none" strokeWidth="3" strokeLinecap="round" />,
  clock: <path d="M8 2.5a5.5 5.5 0 1 0 .01 0M8 5v3.2l2.2 1.6" fill="none" strokeWidth="1.8" />,
} as const

/** A shape that stands for a status. */
export type StatusShape = keyof typeof PATHS

/** The shape alone; whoever uses it says the word too. */
export function StatusIcon({ shape }: { shape: StatusShape }) {
  return (
    <svg className="status-icon" viewBox="0 0 16 16" width="14" height="14" stroke="currentColor" aria-hidden="true">
      {PATHS[shape]}
    </svg>
  )
}
