import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { statusOf } from '../../../../../ui/client/api.ts'
import { Dialog, DialogBody } from '../../../../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../../ui/display/Skeleton.tsx'

interface BookingWaitsProps {
  /** What one is called: 'appointment'. */
  noun: string
  title: string
  /** Given, it has not come. */
  failed?: { isGone: boolean; retry: () => void; isRetrying: boolean }
  onClose: () => void
}

/** The dialog while what it is about is on its way, or where it has not come. */
export function BookingPending({ noun, title, failed, onClose }: BookingWaitsProps) {
  return (
    <Dialog open onOpenChange={onClose} title={title} size="md">
      {failed ? (
        <DialogBody>
          {failed.isGone ? (
            <ErrorState title={`${noun[0]!.toUpperCase()}${noun.slice(1)} not found`}>It was deleted with its patient.</ErrorState>
          ) : (
            <ErrorState title={`Couldn’t load the ${noun}`} onRetry={failed.retry} retrying={failed.isRetrying} />
          )}
        </DialogBody>
      ) : (
        <DialogBody className="flex min-h-100 flex-col gap-6">
          {['w-2/5', 'w-4/5', 'w-3/5', 'w-2/3', 'w-1/2'].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </DialogBody>
      )}
    </Dialog>
  )
}

interface BookingLoaderProps<Data> {
  noun: 'appointment' | 'surgery'
  kind: 'edit' | 'move'
  found: UseQueryResult<Data>
  onClose: () => void
  children: (booking: Data) => ReactNode
}

/** The dialog of one that there is: it waits for what it is now, as it may have been changed since it was shown. */
export function BookingLoader<Data>({ noun, kind, found, onClose, children }: BookingLoaderProps<Data>) {
  const title = `${kind === 'move' ? 'Move' : 'Edit'} ${noun}`
  if (found.isPending || (found.isFetching && !found.isFetchedAfterMount))
    return <BookingPending noun={noun} title={title} onClose={onClose} />
  if (found.data) return children(found.data)
  const failed = { isGone: statusOf(found.error) === 404, retry: () => void found.refetch(), isRetrying: found.isFetching }
  return <BookingPending noun={noun} title={title} failed={failed} onClose={onClose} />
}
