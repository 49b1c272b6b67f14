import { Troupe, TroupeError } from '../../client/index.ts'
import { Store } from '../live/store.ts'

const STORAGE_NAME = 'troupe.key'

/** What the page knows of its key. */
export interface SessionState {
  /** The key in use; undefined where none is needed, or none was given yet. */
  key: string | undefined
  /** `asked`: the service wants a key. `wrong`: it refused the one that was given. */
  gate: 'open' | 'asked' | 'wrong'
}

/** The key of this browser tab. It is kept for the tab, or for the device when the person wants that; never in an address. */
export const session = new Store<SessionState>({ key: storedKey(), gate: 'open' })

let client = createClient(session.state.key)

/** The client of the service, with the key. */
export function troupe(): Troupe {
  return client
}

/** Uses a key from now on. @param remember - also in later tabs of this device. */
export function takeKey(key: string, remember: boolean): void {
  // What was kept for the tab was kept for who had the key before.
  sessionStorage.clear()
  sessionStorage.setItem(STORAGE_NAME, key)
  if (remember) localStorage.setItem(STORAGE_NAME, key)
  client = createClient(key)
  session.set({ key, gate: 'open' })
}

/** Forgets the key in this tab and on this device. */
export function forgetKey(): void {
  sessionStorage.clear()
  localStorage.removeItem(STORAGE_NAME)
  client = createClient(undefined)
  session.set({ key: undefined, gate: 'asked' })
}

/** Told of every failed request: one that was refused for its key opens the gate again. */
export function noteFailure(error: unknown): void {
  if (!(error instanceof TroupeError) || error.status !== 401) return
  const { key, gate } = session.state
  if (gate === 'open') session.set({ key, gate: key === undefined ? 'asked' : 'wrong' })
}

function storedKey(): string | undefined {
  return sessionStorage.getItem(STORAGE_NAME) ?? localStorage.getItem(STORAGE_NAME) ?? undefined
}

function createClient(key: string | undefined): Troupe {
  const made: Troupe = new Troupe({
    key,
    // A page asks again by itself, and says so meanwhile.
    retries: 0,
    timeoutMs: 30_000,
    socketCredentials: async () => {
      const credentials: Record<string, string> = {}
      if (key === undefined) return credentials
      // Where it fails the handshake fails too, and the stream looks why.
      const issued = await made.request('post', '/api/stream-tickets', {}).catch(() => undefined)
      if (issued !== undefined) credentials.ticket = issued.ticket
      return credentials
    },
  })
  return made
}
