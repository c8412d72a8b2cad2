import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Megaphone } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge, type BadgeTone } from '../../../../ui/display/Badge.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Pagination } from '../../../../ui/display/Pagination.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { None, Table, TableBody, TableHead, TableRow, Td, Th } from '../../../../ui/display/Table.tsx'
import { type Clock, formatCount, formatDate } from '../../../../ui/format.ts'
import { useRowKeys } from '../../../../ui/hooks/useRowKeys.ts'
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
/** Same as in tokens.css. */
const rowHeight = 44
const columns = 'minmax(0,1fr) 8rem 6rem 7rem 8rem 11rem'

interface RecallListProps {
  /** The recall whose drawer is open. */
  opened: string | undefined
  onOpen: (id: string | undefined) => void
  isStarting: boolean
  /** Cards instead of a table. */
  narrow: boolean
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
export function RecallList({ opened, onOpen, isStarting, narrow, onStarting }: RecallListProps) {
  const cache = useQueryClient()
  const clock = useClock()
  const [page, setPage] = useState(1)
  const list = useQuery(orpc.recalls.list.queryOptions({ input: { page, limit: pageSize } }))
  useLive(['recall'], () => void cache.invalidateQueries({ queryKey: orpc.recalls.key() }), { debounceMs: 1000 })
  const { data } = list
  const current = useRowKeys(data?.data.map(({ id }) => id) ?? [])
  return (
    <>
      {!data ? (
        list.error ? (
          <ErrorState title="Couldn’t load recalls" onRetry={() => void list.refetch()} retrying={list.isFetching}>
            {messageOf(list.error)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={6} className="min-h-0 flex-1 overflow-hidden" rowClassName={narrow ? 'h-17' : ''} />
        )
      ) : data.data.length === 0 ? (
        <EmptyState icon={<Megaphone />} title="No recalls yet">
          When a maker or Health Canada recalls implants, a recall lists who has them, and sends letters and emails.
        </EmptyState>
      ) : (
        <>
          <div className="relative min-h-0 flex-1 overflow-y-auto" data-scroll-restoration-id="recalls">
            {narrow ? (
              <ul aria-label="Recalls">
                {data.data.map((recall) => (
                  <RecallCard key={recall.id} recall={recall} clock={clock} onOpen={() => onOpen(recall.id)} />
                ))}
              </ul>
            ) : (
              <Table columns={columns} aria-label="Recalls">
                <TableHead>
                  <Th>Recall</Th>
                  <Th>Started</Th>
                  <Th numeric>Letters</Th>
                  <Th numeric>Emails sent</Th>
                  <Th numeric>Answered</Th>
                  <Th>Status</Th>
                </TableHead>
                <TableBody height={data.data.length * rowHeight}>
                  {data.data.map((recall, index) => (
                    <RecallRow
                      key={recall.id}
                      recall={recall}
                      clock={clock}
                      top={index * rowHeight}
                      isCurrent={recall.id === current}
                      onOpen={() => onOpen(recall.id)}
                    />
                  ))}
                </TableBody>
              </Table>
            )}
          </div>
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

interface RowProps {
  recall: RecallData
  clock: Clock
  onOpen: () => void
}

function RecallRow({ recall, clock, onOpen, top, isCurrent }: RowProps & { top: number; isCurrent: boolean }) {
  const { patients, letters, emailsSent, answered } = recall.progress
  return (
    <TableRow top={top} current={isCurrent} data-row={recall.id} onClick={onOpen}>
      <Td whole className="flex flex-col items-start justify-center">
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation()
            onOpen()
          }}
          className="max-w-full truncate rounded-xs text-left leading-4.5 font-medium text-fg outline-offset-1 hover:underline"
        >
          {recall.title}
        </button>
        <span className="max-w-full truncate text-xs text-fg-3">{formatCriteria(recall)}</span>
      </Td>
      <Td className="tabular-nums">{formatDate(recall.createdAt, clock.timeZone)}</Td>
      <Td numeric>{patients === 0 ? <None /> : formatCount(letters)}</Td>
      <Td numeric>{patients === 0 ? <None /> : formatCount(emailsSent)}</Td>
      <Td numeric className="font-medium text-fg">
        {patients === 0 ? <None /> : `${formatCount(answered)} of ${formatCount(patients)}`}
      </Td>
      <Td whole>
        <Status recall={recall} />
      </Td>
    </TableRow>
  )
}

/** The row on a phone. */
function RecallCard({ recall, clock, onOpen }: RowProps) {
  const { patients, answered } = recall.progress
  const started = formatDate(recall.createdAt, clock.timeZone)
  return (
    <li data-row={recall.id} className="border-b border-line">
      <button
        type="button"
        aria-label={[recall.title, formatCriteria(recall), started, statusOf(recall).label].join(', ')}
        onClick={onOpen}
        className="flex min-h-17 w-full flex-col gap-1 px-4 py-2.5 text-left text-sm outline-offset-[-2px] md:px-6"
      >
        <span className="line-clamp-2 text-title leading-5 font-semibold text-fg">{recall.title}</span>
        <span className="line-clamp-2 text-fg-2">{formatCriteria(recall)}</span>
        <span className="flex w-full items-center gap-2 text-fg-3 tabular-nums">
          <Status recall={recall} />
          <span className="min-w-0 flex-1 truncate">{patients > 0 && `${formatCount(answered)} of ${formatCount(patients)} answered`}</span>
          {started}
        </span>
      </button>
    </li>
  )
}

function Status({ recall }: { recall: RecallData }) {
  const { tone, label } = statusOf(recall)
  return (
    <Badge tone={tone} icon={tone === 'success' && <CircleCheck aria-hidden="true" />}>
      {label}
    </Badge>
  )
}

/** How far a recall is: finished when each patient has answered. */
function statusOf({ progress: { patients, letters, emailsFailed, answered } }: RecallData): { tone: BadgeTone; label: string } {
  if (patients === 0) return { tone: 'neutral', label: 'No patients' }
  if (answered === patients) return { tone: 'success', label: 'All answered' }
  if (letters < patients) return { tone: 'info', label: 'Making letters' }
  if (emailsFailed > 0) return { tone: 'danger', label: `${formatCount(emailsFailed)} ${emailsFailed === 1 ? 'email' : 'emails'} to check` }
  return { tone: 'warning', label: 'Waiting for answers' }
}
