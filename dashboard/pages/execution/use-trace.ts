import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { TraceStore } from '../../live/trace-store.ts'

/** The trace of an execution, read for as long as it is shown. */
export function useTrace(id: string): TraceStore {
  const client = useQueryClient()
  const [store] = useState(() => new TraceStore(id, () => void client.invalidateQueries({ queryKey: ['job', id] })))
  useEffect(() => {
    const leaving = new AbortController()
    void store.follow(leaving.signal)
    return () => leaving.abort()
  }, [store])
  return store
}
