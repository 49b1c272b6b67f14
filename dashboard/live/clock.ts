import { useEffect, useState } from 'react'

let offsetMs = 0

/** Told the server's time whenever an answer names it: what runs is timed by its clock, not by this machine's. */
export function noteServerTime(iso: string): void {
  offsetMs = Date.parse(iso) - Date.now()
}

/** The server's time now, in milliseconds since 1970. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

/** The server's time, again and again while it is wanted. @param everyMs - 0 stops it. */
export function useServerNow(everyMs: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (everyMs === 0) return
    const timer = setInterval(() => setNow(serverNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
