import { useState, type FormEvent } from 'react'
import { queryClient } from '../api/queries.ts'
import { takeKey } from '../api/session.ts'

/** Asks for the key, once. */
export function KeyGate({ wrong }: { wrong: boolean }) {
  const [key, setKey] = useState('')
  const [remember, setRemember] = useState(false)
  function submit(event: FormEvent): void {
    event.preventDefault()
    takeKey(key.trim(), remember)
    void queryClient.resetQueries()
  }
  return (
    <form className="key-gate panel" onSubmit={submit}>
      <h1>This service needs a key</h1>
      <p className="dim">
        One of those that its operator gave out (<code>SERVICE_API_KEY</code>, <code>API_KEYS_FILE</code>). It stays in
        this browser tab and is sent in a header, never in an address.
      </p>
      <label>
        API key
        <input
          type="password"
          autoComplete="off"
          autoFocus
          required
          value={key}
          aria-invalid={wrong}
          aria-describedby={wrong ? 'key-wrong' : undefined}
          onChange={(event) => setKey(event.target.value)}
        />
      </label>
      {wrong && (
        <p id="key-wrong" className="field-error" role="alert">
          The service did not accept this key.
        </p>
      )}
      <label className="check">
        <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
        Remember on this device
      </label>
      <button type="submit" className="primary">
        Open
      </button>
    </form>
  )
}
