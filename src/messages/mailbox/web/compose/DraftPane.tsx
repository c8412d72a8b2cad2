import { FilePenLine } from 'lucide-react'
import { useEffect } from 'react'
import { messageOf, statusOf } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { Composer } from './Composer.tsx'
import { useKeeper } from './useDraftStore.ts'

interface DraftPaneProps {
  id: string
  own: string
  isFoot: boolean
  onClose: () => void
  onMoved: (id: string) => void
}

/** The draft in the URL. */
export function DraftPane({ id, own, isFoot, onClose, onMoved }: DraftPaneProps) {
  const { keeper, query } = useKeeper(id)
  const isMissing = statusOf(query.error) === 404
  // Below a thread, a missing draft needs no message.
  const isOver = isFoot && isMissing
  useEffect(() => {
    if (isOver) onClose()
  }, [isOver, onClose])
  if (keeper) return <Composer keeper={keeper} own={own} isFoot={isFoot} onClose={onClose} onMoved={onMoved} />
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      {isMissing ? (
        <EmptyState
          icon={<FilePenLine />}
          title="This draft does not exist"
          className="my-auto"
          actions={<Button onClick={onClose}>Back to the list</Button>}
        >
          It was sent or discarded.
        </EmptyState>
      ) : query.error ? (
        <ErrorState title="Couldn’t load the draft" onRetry={() => void query.refetch()} retrying={query.isFetching} className="my-auto">
          {messageOf(query.error)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={4} rowClassName="h-14" />
      )}
    </div>
  )
}
