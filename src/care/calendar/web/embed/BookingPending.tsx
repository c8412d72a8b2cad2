import { Dialog, DialogBody } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/EmptyState.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'

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
            <ErrorState title={`This ${noun} is not there`}>Its patient was deleted, and it with them.</ErrorState>
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
