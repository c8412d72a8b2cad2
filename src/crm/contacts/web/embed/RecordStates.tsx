import { Link } from '@tanstack/react-router'
import { UserRoundX } from 'lucide-react'
import { messageOf } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Skeleton, SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { recallPlace } from './list-place.ts'

export function NoSuchPatient() {
  return (
    <EmptyState
      icon={<UserRoundX />}
      title="This patient does not exist"
      className="my-auto pb-24"
      actions={
        <Button asChild>
          <Link to="/contacts" search={recallPlace()?.search ?? {}}>
            Back to patients
          </Link>
        </Button>
      }
    >
      They may have been deleted, or merged into another patient.
    </EmptyState>
  )
}

export function RecordFailed({ error, retrying, onRetry }: { error: unknown; retrying: boolean; onRetry: () => void }) {
  return (
    <div className="my-auto pb-12">
      <ErrorState title="Couldn’t load this patient" onRetry={onRetry} retrying={retrying}>
        {messageOf(error)} What was saved is safe.
      </ErrorState>
    </div>
  )
}

/** The loading state of the patient page. */
export function RecordSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="px-4 pt-5 md:px-6">
      <div className="flex items-center gap-3.5">
        <Skeleton className="size-12 rounded-full bg-active" />
        <span className="flex flex-col gap-2">
          <Skeleton className="h-4 w-52 bg-active" />
          <Skeleton className="w-72 max-w-full" />
        </span>
      </div>
      <div className="flex gap-1 pt-7 pb-20">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} className="h-1 flex-1 rounded-full" />
        ))}
      </div>
      <SkeletonRows rows={5} rowClassName="h-16 border-b-0 px-0 md:px-0" />
    </div>
  )
}
