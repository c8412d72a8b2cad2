import { ScrollText, Search } from 'lucide-react'
import { useMemo } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Badge } from '../../../ui/display/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { type Clock, formatDateTime, formatDue } from '../../../ui/format.ts'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { None, Table, TableBody, TableHead, TableRow, Td, Th } from '../../../ui/display/Table.tsx'
import { useMedia } from '../../../ui/hooks/useMedia.ts'
import { useRowKeys } from '../../../ui/hooks/useRowKeys.ts'
import { rowsOf, usePages } from '../../../ui/client/usePages.ts'
import { type AuditProps, toFilters, noFilters } from './audit-search.ts'
import { type EntryRowData, formatPatients, actorLabels, formatTitle, formatActor } from './labels.ts'

/** In pixels; matches tokens.css. */
const rowHeight = 44
const columns = '9.5rem 11rem minmax(0, 1fr) minmax(0, 1fr)'

/** The log, newest first, with older pages on demand. Each row opens its entry. */
export function AuditList({ search, onChange, onOpen }: AuditProps & { onOpen: (id: number) => void }) {
  const clock = useClock()
  const narrow = useMedia('(width < 64rem)')
  const filters = toFilters(search)
  // Always refetch when opened, so that the log is current.
  const { list, older } = usePages(orpc.audit.list, filters, { keepsPrevious: true, staleTime: 0 })
  const lines = useMemo(() => rowsOf(list.data), [list.data])
  const current = useRowKeys(lines.map(({ id }) => String(id)))
  if (!list.data) {
    return list.error ? (
      <ErrorState title="Couldn’t load the audit log" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={12} rowClassName="px-0 md:px-0" />
    )
  }
  if (lines.length === 0) {
    const isFiltered = Object.values(filters).some((value) => value !== undefined)
    return isFiltered ? (
      <EmptyState
        icon={<Search />}
        title="No matching entries"
        actions={<Button onClick={() => onChange(noFilters)}>Clear filters</Button>}
      >
        {isBackwards(filters) ? 'The start date is after the end date.' : 'Try other filters or dates.'}
      </EmptyState>
    ) : (
      <EmptyState icon={<ScrollText />} title="No entries yet">
        Every view of a patient’s data and every change appears here.
      </EmptyState>
    )
  }
  const props = (line: EntryRowData) => ({ line, clock, onOpen: () => onOpen(line.id) })
  return (
    <div aria-busy={list.isPlaceholderData} className={cn(list.isPlaceholderData && 'opacity-60')}>
      {narrow ? (
        <ul aria-label="Entries">
          {lines.map((line) => (
            <EntryCard key={line.id} {...props(line)} />
          ))}
        </ul>
      ) : (
        <Table columns={columns} aria-label="Entries" className="[&_[role=cell]:first-child]:pl-2 [&_[role=columnheader]:first-child]:pl-2">
          <TableHead>
            <Th>When</Th>
            <Th>Who</Th>
            <Th>What</Th>
            <Th>Patients</Th>
          </TableHead>
          <TableBody height={lines.length * rowHeight}>
            {lines.map((line, index) => (
              <EntryRow key={line.id} {...props(line)} top={index * rowHeight} isCurrent={String(line.id) === current} />
            ))}
          </TableBody>
        </Table>
      )}
      {list.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 py-4">
          <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
            Show older
          </Button>
          {list.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load older entries.</p>}
        </div>
      )}
    </div>
  )
}

interface EntryProps {
  line: EntryRowData
  clock: Clock
  onOpen: () => void
}

function EntryRow({ line, clock, onOpen, top, isCurrent }: EntryProps & { top: number; isCurrent: boolean }) {
  return (
    <TableRow top={top} current={isCurrent} data-row={line.id} onClick={onOpen}>
      <Td className="tabular-nums">
        <span title={formatDateTime(line.at, clock)}>{formatDue(line.at, clock)}</span>
      </Td>
      <Td whole className="flex flex-col justify-center">
        <span className="truncate leading-4.5 font-medium text-fg">{formatActor(line)}</span>
        {line.by !== null && <span className="truncate text-xs text-fg-3">{actorLabels[line.byRole]}</span>}
      </Td>
      <Td whole className="flex items-center gap-1.5">
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation()
            onOpen()
          }}
          className="min-w-0 truncate rounded-xs text-left text-fg outline-offset-1 hover:underline"
        >
          {formatEntry(line)}
        </button>
        {line.action === 'denied' && <Badge tone="warning">Refused</Badge>}
      </Td>
      <Td>{formatPatients(line) || <None>No patient</None>}</Td>
    </TableRow>
  )
}

/** An entry on a phone, 68 px high. */
function EntryCard({ line, clock, onOpen }: EntryProps) {
  return (
    <li data-row={line.id} className="border-b border-line">
      <button type="button" onClick={onOpen} className="flex h-17 w-full items-center gap-3 text-left outline-offset-[-2px]">
        <span className="min-w-0 flex-1">
          <span className="block truncate text-md leading-5 font-medium text-fg">{`${formatActor(line)}: ${formatEntry(line)}`}</span>
          <span className="block truncate text-sm text-fg-2 tabular-nums">
            {[formatDue(line.at, clock), formatPatients(line)].filter(Boolean).join(' · ')}
          </span>
        </span>
        {line.action === 'denied' && <Badge tone="warning">Refused</Badge>}
      </button>
    </li>
  )
}

const isBackwards = ({ from, to }: ReturnType<typeof toFilters>) => from !== undefined && to !== undefined && from > to

/** For a denial, the refused action. */
const formatEntry = (line: EntryRowData): string => (line.action === 'denied' ? line.about : formatTitle(line))
