import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { statusOf } from '../../../../../ui/client/api.ts'
import { Dialog, DialogBody } from '../../../../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../../ui/display/Skeleton.tsx'

interface BookingPendingProps {
  /** What failed to load: 'appointment'. */
  noun: string
  title: string
  /** Given if loading failed. */
  failed?: { isGone: boolean; retry: () => void; isRetrying: boolean }
  onClose: () => void
}

/** The booking dialog while its data is loading or after loading failed. */
export function BookingPending({ noun, title, failed, onClose }: BookingPendingProps) {
  return (
    <Dialog onClose={onClose} title={title} size="md">
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

/** Loads the latest version of a booking before its form opens, because it may have changed since it was shown. */
export function BookingLoader<Data>({ noun, kind, found, onClose, children }: BookingLoaderProps<Data>) {
  const title = `${kind === 'move' ? 'Move' : 'Edit'} ${noun}`
  if (found.isPending || (found.isFetching && !found.isFetchedAfterMount))
    return <BookingPending noun={noun} title={title} onClose={onClose} />
  if (found.data) return children(found.data)
  const failed = { isGone: statusOf(found.error) === 404, retry: () => void found.refetch(), isRetrying: found.isFetching }
  return <BookingPending noun={noun} title={title} failed={failed} onClose={onClose} />
}
