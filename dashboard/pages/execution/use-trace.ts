import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { TraceStore } from '../../live/trace-store.ts'

/** The trace of an execution, read for as long as it is shown, with answers while they are written. */
export function useTrace(id: string): TraceStore {
  const client = useQueryClient()
  const ended = () => void client.invalidateQueries({ queryKey: ['job', id] })
  const [store] = useState(() => new TraceStore(id, ended))
  useEffect(() => {
    const leaving = new AbortController()
    void store.follow(leaving.signal)
    return () => leaving.abort()
  }, [store])
  return store
}
