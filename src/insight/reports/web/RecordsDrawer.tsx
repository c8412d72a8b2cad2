import { Link } from '@tanstack/react-router'
import { type Client, messageOf } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { formatCount, formatDateTime, formatMoney } from '../../../ui/format.ts'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { rowsOf } from '../../../ui/client/usePages.ts'
import { fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import { formatDuration } from '../../dashboard/web/embed/measures.ts'
import { definitionOf } from '../report-rules.ts'
import type { ReportsSearch, WebAsk } from './reports-search.ts'
import { useRecords } from './useReport.ts'

interface RecordsDrawerProps {
  ask: WebAsk
  of: Pick<ReportsSearch, 'figure' | 'by' | 'row'>
  /** Label of the row, if any. */
  rowName: string | null
  onClose: () => void
}

/** The records behind a number, each linked. */
export default function RecordsDrawer({ ask, of, rowName, onClose }: RecordsDrawerProps) {
  const { list, older } = useRecords(ask, of)
  const clock = useClock()
  const { label } = definitionOf(ask.report).measures[of.figure ?? '']!
  const records = rowsOf(list.data)
  const total = list.data?.pages[0]?.total
  return (
    <SideDrawer
      title={rowName === null ? label : `${label}, ${rowName}`}
      aside={total !== undefined && <span className="flex-none text-sm text-fg-3 tabular-nums">{formatCount(total)}</span>}
      onClose={onClose}
    >
      {!list.data ? (
        list.error ? (
          <ErrorState title="Couldn’t load this" onRetry={() => void list.refetch()} retrying={list.isFetching}>
            {messageOf(list.error)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={8} className="-mx-4 -my-5 md:-mx-6" />
        )
      ) : records.length === 0 ? (
        <EmptyState title="No records for this number">Nothing was counted here in this period.</EmptyState>
      ) : (
        <>
          <ul aria-label={label} className="-my-2 divide-y divide-line">
            {records.map((record, index) => (
              // oxlint-disable-next-line no-array-index-key -- a patient may appear here twice, and rows never reorder
              <li key={index} className="flex items-center gap-3 py-2.5">
                <div className="min-w-0 flex-1">
                  <p className="truncate text-sm font-medium text-fg">
                    <RecordLink record={record} />
                  </p>
                  <p className="truncate text-xs text-fg-3">{record.what}</p>
                </div>
                <div className="flex-none text-right text-xs text-fg-3 tabular-nums">
                  {record.amount !== null && (
                    <p className="text-sm text-fg">
                      {record.amountUnit === 'money' ? formatMoney(record.amount) : formatDuration(record.amount)}
                    </p>
                  )}
                  <time dateTime={record.at}>{formatDateTime(record.at, clock)}</time>
                </div>
              </li>
            ))}
          </ul>
          {list.hasNextPage && (
            <div className="pt-5">
              <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
                Show more
              </Button>
            </div>
          )}
        </>
      )}
    </SideDrawer>
  )
}

type RecordData = Awaited<ReturnType<Client['reports']['records']>>['data'][number]

const styles = 'relative rounded-xs touch-target hover:text-accent-fg hover:underline'

function RecordLink({ record: { kind, id, contact } }: { record: RecordData }) {
  if (kind === 'receipt')
    return (
      <Link to="/collections" search={{ tab: 'receipts', receipt: id }} className={styles}>
        {contact ? fullName(contact) : 'No patient'}
      </Link>
    )
  if (kind === 'task' && !contact)
    return (
      <Link to="/tasks" search={{ task: id }} className={styles}>
        Open the task
      </Link>
    )
  if (!contact) return 'No patient'
  return (
    <Link to="/contacts/$id" params={{ id: contact.id }} className={styles}>
      {fullName(contact)}
    </Link>
  )
}
