import { useQuery } from '@tanstack/react-query'
import { troupe } from '../../api/session.ts'

/** All containers that the engine knows, stopped ones included. */
export function useContainers() {
  return useQuery({
    queryKey: ['containers'],
    queryFn: ({ signal }) => troupe().containers.list({ signal }),
    refetchInterval: 5_000,
    retry: false,
  })
}
