import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { messageOf, orpc } from '../../../../../ui/client/api.ts'
import { useClock } from '../../../../../ui/client/session.ts'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody } from '../../../../../ui/overlays/Dialog.tsx'
import { EmptyState, ErrorState } from '../../../../../ui/display/EmptyState.tsx'
import { formatCount, formatDateTime } from '../../../../../ui/format.ts'
import { SkeletonRows } from '../../../../../ui/display/Skeleton.tsx'
import { patients } from './bulk-labels.ts'
import { useBulkChange } from './useBulkChange.ts'

/** The user's deletions of the last 24 hours, to undo them: the toast with Undo disappears after seconds. */
export default function DeletedDialog({ onClose }: { onClose: () => void }) {
  const clock = useClock()
  const { data, error, isFetching, refetch } = useQuery(orpc.bulkChanges.deletions.queryOptions({ staleTime: 0 }))
  const { undo, underWay } = useBulkChange()
  /** The deletion being undone from this dialog, which closes when that is finished. */
  const [undoing, setUndoing] = useState<string | null>(null)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (underWay) setUndoing(underWay.status === 'undoing' ? underWay.id : null)
    else if (undoing !== null) close()
  }, [underWay, undoing])

  return (
    <Dialog onClose={onClose} title="Deleted patients" description="You can restore patients for 24 hours after deleting them.">
      <DialogBody>
        {!data ? (
          error ? (
            <ErrorState title="Couldn’t load deleted patients" onRetry={() => void refetch()} retrying={isFetching}>
              {messageOf(error)}
            </ErrorState>
          ) : (
            <SkeletonRows rows={2} />
          )
        ) : data.length === 0 ? (
          <EmptyState title="No deleted patients">Patients you delete from the list appear here for 24 hours.</EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {data.map(({ id, changed, undone, kept, createdAt }) => (
              <li key={id} className="flex min-h-14 items-center gap-3">
                <span className="min-w-0 flex-1">
                  <span className="block font-medium text-fg">{patients(changed - undone - kept)}</span>
                  <span className="block text-sm text-fg-2">{formatDateTime(createdAt, clock)}</span>
                </span>
                {underWay?.id === id ? (
                  <span role="status" className="text-sm text-fg-2 tabular-nums">
                    Undoing {formatCount(underWay.undone + underWay.kept)} of {formatCount(underWay.changed)}…
                  </span>
                ) : (
                  <Button disabled={underWay !== null} onClick={() => void undo(id, { kind: 'delete', forGood: false })}>
                    Undo
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
    </Dialog>
  )
}
