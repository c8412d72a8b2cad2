import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Pagination } from '../../../../ui/display/Pagination.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { formatDate } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { formatCriteria } from '../../rules.ts'
import type { RecallData } from '../recall-data.ts'

const StartDialog = lazyDialog(
  () => import('../StartDialog.tsx'),
  ({ onClose }) => onClose(),
)
const RecallDrawer = lazyDialog(
  () => import('../RecallDrawer.tsx'),
  ({ onClose }) => onClose(),
)

const pageSize = 50

interface RecallListProps {
  /** The recall whose drawer is open. */
  opened: string | undefined
  onOpen: (id: string | undefined) => void
  isStarting: boolean
  onStarting: (isStarting: boolean) => void
}

/** Opens the dialog that starts a recall; nothing for those who may not. */
export function StartRecallButton({ narrow = false, onClick }: { narrow?: boolean; onClick: () => void }) {
  const mayStart = usePermission()('recalls.start')
  return (
    mayStart && (
      <Button variant="filled" icon={<Megaphone />} aria-label="Start recall" onPointerEnter={StartDialog.prepare} onClick={onClick}>
        {narrow ? 'Start' : 'Start recall'}
      </Button>
    )
  )
}

/** The recalls, newest first, with how far each is. */
export function RecallList({ opened, onOpen, isStarting, onStarting }: RecallListProps) {
  const cache = useQueryClient()
  const clock = useClock()
  const [page, setPage] = useState(1)
  const list = useQuery(orpc.recalls.list.queryOptions({ input: { page, limit: pageSize } }))
  useLive(['recall'], () => void cache.invalidateQueries({ queryKey: orpc.recalls.key() }), { debounceMs: 1000 })
  const { data } = list
  return (
    <>
      {!data ? (
        list.error ? (
          <ErrorState title="Couldn’t load recalls" onRetry={() => void list.refetch()} retrying={list.isFetching}>
            {messageOf(list.error)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={6} className="min-h-0 flex-1 overflow-hidden" />
        )
      ) : data.data.length === 0 ? (
        <EmptyState icon={<Megaphone />} title="No recalls yet">
          When a maker or Health Canada recalls implants, a recall lists who has them, and sends letters and emails.
        </EmptyState>
      ) : (
        <>
          <ul aria-label="Recalls" className="min-h-0 flex-1 overflow-y-auto" data-scroll-restoration-id="recalls">
            {data.data.map((recall) => (
              <li key={recall.id} className="border-b border-line">
                <button
                  type="button"
                  aria-label={`${recall.title}, ${formatCriteria(recall)}, ${formatAnswered(recall)}, ${formatDate(recall.createdAt, clock.timeZone)}`}
                  onClick={() => onOpen(recall.id)}
                  className="flex min-h-14 w-full items-center gap-4 px-4 py-2 text-left text-sm outline-offset-[-2px] hover:bg-hover md:px-6"
                >
                  <span className="min-w-0 flex-1">
                    <span className="line-clamp-2 font-medium text-fg">{recall.title}</span>
                    <span className="block truncate text-xs text-fg-3">{formatCriteria(recall)}</span>
                  </span>
                  <span className="flex-none text-right tabular-nums">
                    <span className="block text-fg">
                      {recall.progress.patients === 0
                        ? 'No patients'
                        : `${recall.progress.answered} of ${recall.progress.patients} answered`}
                    </span>
                    <span className="block text-xs text-fg-3">{formatDate(recall.createdAt, clock.timeZone)}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {data.total > pageSize && (
            <Pagination
              first={(page - 1) * pageSize + 1}
              last={(page - 1) * pageSize + data.data.length}
              total={data.total}
              page={page}
              pageSize={pageSize}
              onPageChange={setPage}
            />
          )}
        </>
      )}
      {isStarting && <StartDialog onClose={() => onStarting(false)} onStarted={({ id }) => onOpen(id)} />}
      {opened && <RecallDrawer id={opened} onClose={() => onOpen(undefined)} />}
    </>
  )
}

const formatAnswered = ({ progress: { answered, patients } }: RecallData): string =>
  patients === 0 ? 'No patients' : `${answered} of ${patients} answered`
