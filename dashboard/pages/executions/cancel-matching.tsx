import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { JobFilter } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { formatCount } from '../../parts/format.ts'
import { Loaded } from '../../parts/panel.tsx'
import { notify } from '../../shell/toasts.tsx'

/** Cancels all that a filter fits; says first how many they are. */
export function CancelMatching({ filter, onClose }: { filter: Omit<JobFilter, 'status'>; onClose: () => void }) {
  const client = useQueryClient()
  const cancel = (dry_run: boolean) =>
    troupe().request('post', '/api/jobs/cancel', { body: { filter, dry_run }, timeoutMs: null })
  const counted = useQuery({ queryKey: ['cancel-count', filter], queryFn: () => cancel(true), gcTime: 0 })
  const canceling = useMutation({
    mutationFn: () => cancel(false),
    onSuccess: ({ canceled, already_ended, failed }) =>
      notify(
        `${formatCount(canceled)} canceled, ${formatCount(already_ended)} had ended, ${formatCount(failed)} failed.`,
      ),
    onError: (error) => notify(error.message),
    onSettled: async () => {
      onClose()
      await client.invalidateQueries({ queryKey: ['head'] })
    },
  })
  const matched = counted.data?.matched ?? 0
  return (
    <Confirm
      title="Cancel all that run and match?"
      action={`Cancel ${formatCount(matched)} ${matched === 1 ? 'execution' : 'executions'}`}
      busy={canceling.isPending || matched === 0}
      onConfirm={() => canceling.mutate()}
      onClose={onClose}
    >
      <Loaded query={counted} lines={1}>
        {(counts) => (
          <p>
            {formatCount(counts.matched)} running {counts.matched === 1 ? 'execution fits' : 'executions fit'} the
            filter{' '}
            <code>
              {Object.entries(filter)
                .map(([name, value]) => `${name}:${value}`)
                .join(' ')}
            </code>
            .
          </p>
        )}
      </Loaded>
    </Confirm>
  )
}
