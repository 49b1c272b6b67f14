/** A page of the rail. */
interface RailPage {
  to: '/' | '/executions' | '/batches' | '/agents' | '/playground' | '/live' | '/containers'
  label: string
  /** With `g` before it, the key that leads there. */
  key: string
  /** The endpoint that it cannot do without. */
  needs: string
  /** Drawn in a square of 16. */
  icon: string
}

/** The pages of the rail, in their order. */
export const PAGES: RailPage[] = [
  { to: '/', label: 'Overview', key: 'o', needs: 'get /api/metrics', icon: 'M2 14V8M6 14V4M10 14V9M14 14V2' },
  { to: '/executions', label: 'Executions', key: 'e', needs: 'get /api/jobs', icon: 'M2 4h8M4 8h9M7 12h7' },
  {
    to: '/batches',
    label: 'Batches',
    key: 'b',
    needs: 'get /api/batches',
    icon: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z',
  },
  {
    to: '/agents',
    label: 'Agents',
    key: 'a',
    needs: 'get /api/agents',
    icon: 'M8 2a3 3 0 1 1-.01 0M2.5 14c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5',
  },
  { to: '/playground', label: 'Playground', key: 'p', needs: 'post /api/prompts', icon: 'M4 2.5 13 8 4 13.5z' },
  { to: '/live', label: 'Live', key: 'l', needs: 'get /api/traces', icon: 'M1 8h3l2-5 3 10 2-5h4' },
  {
    to: '/containers',
    label: 'Containers',
    key: 'c',
    needs: 'get /api/logs/containers',
    icon: 'M8 1.5 14 5v6l-6 3.5L2 11V5zM2 5l6 3.5L14 5M8 8.500v6',
  },
]
