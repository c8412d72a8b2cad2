import { CalendarHeart, ChevronRight, ListTodo } from 'lucide-react'
import type { ReactNode } from 'react'
import { toLocal } from '../../../../shared/zoned-time.ts'
import { SameNameMark } from '../../../calendar/web/embed/booking/SameName.tsx'
import { lengthOf } from '../../../calendar/web/embed/grid/entry.ts'
import { providerName, roomName } from '../../../calendar/web/embed/names.ts'
import { formatDuration } from '../../../calendar/web/embed/times.ts'
import type { CalendarPage } from '../../../calendar/web/embed/useCalendarPage.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { formatDayHeading, formatShortDate, formatTime } from '../../../../ui/format.ts'
import { None } from '../../../../ui/display/Table.tsx'
import { StatusBadge } from '../StatusMark.tsx'
import { patientName, type SurgeryInList } from '../surgery-data.ts'
import { formatDaysToGo, isPlanned, isUrgent, formatMissing, formatProcedures, statusLabels } from '../labels.ts'
import type { SurgeriesSearch } from './surgeries-search.ts'

interface SurgeryListProps {
  surgeries: readonly SurgeryInList[]
  page: CalendarPage<SurgeriesSearch>
  /** `item`: the missing item to focus. */
  onOpen: (id: string, item?: string) => void
  onClear: () => void
  onBook: (() => void) | undefined
}

/** Surgeries by day, with missing items. */
export function SurgeryList({ surgeries, page, onOpen, onClear, onBook }: SurgeryListProps) {
  const { clock } = page
  if (surgeries.length === 0) return <NoSurgeries page={page} onClear={onClear} onBook={onBook} />
  const urgent = surgeries.filter(isUrgent)
  const days = [
    ...Map.groupBy(
      surgeries.filter((surgery) => !isUrgent(surgery)),
      ({ startsAt }) => toLocal(startsAt, clock.timeZone).day,
    ),
  ]
  const rows = (listed: readonly SurgeryInList[], showsDay: boolean) => (
    <ul>
      {listed.map((surgery) => (
        <Row key={surgery.id} surgery={surgery} page={page} showsDay={showsDay} onOpen={onOpen} />
      ))}
    </ul>
  )
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto" data-scroll-restoration-id="surgeries">
      {urgent.length > 0 && (
        <section aria-label="Within 7 days, with items missing">
          <ListHead count={urgent.length}>
            <span className="text-danger-fg">Within 7 days, with items missing</span>
          </ListHead>
          {rows(urgent, true)}
        </section>
      )}
      {days.map(([day, ofDay]) => {
        const heading = formatDayHeading(ofDay[0]!.startsAt, clock)
        const { daysToGo } = ofDay[0]!
        return (
          <section key={day} aria-label={heading}>
            <ListHead count={ofDay.length}>
              {heading}
              {daysToGo !== 0 && <span className="font-regular text-fg-3 tabular-nums">{formatDaysToGo(daysToGo)}</span>}
            </ListHead>
            {rows(ofDay, false)}
          </section>
        )
      })}
    </div>
  )
}

function ListHead({ count, children }: { count: number; children: ReactNode }) {
  return (
    <h3 className="sticky top-0 z-(--z-sticky) flex h-(--row-head) items-center gap-2 border-b border-line bg-subtle px-4 text-xs font-medium text-fg-2 md:px-6">
      {children}
      <span className="ml-auto font-regular text-fg-3 tabular-nums">{count}</span>
    </h3>
  )
}

interface RowProps extends Pick<SurgeryListProps, 'page' | 'onOpen'> {
  surgery: SurgeryInList
  /** Shows the day, for a list without day headings. */
  showsDay: boolean
}

function Row({ surgery, page: { names, clock, narrow }, showsDay, onOpen }: RowProps) {
  const { id, shownStatus, status, startsAt, surgeonId, roomId } = surgery
  const [surgeon, room] = [providerName(surgeonId, names), roomName(roomId, names)]
  return (
    <li className={cn('flex border-b border-line', narrow ? 'flex-col' : 'items-stretch')}>
      <button
        type="button"
        data-entry={id}
        onClick={() => onOpen(id)}
        className={cn(
          'grid min-w-0 items-center gap-x-4 pl-4 text-left outline-offset-[-2px] hover:bg-hover md:pl-6',
          narrow
            ? 'min-h-17 w-full grid-cols-[4.5rem_minmax(0,1fr)_auto] gap-x-3 py-2 pr-4 md:pr-6'
            : 'min-h-(--row) flex-[3] grid-cols-[5.5rem_minmax(0,5fr)_minmax(0,4fr)_6.5rem] py-1 pr-4',
        )}
      >
        <span className="self-start pt-0.5 text-sm tabular-nums">
          {showsDay && <span className="block font-medium text-fg">{formatShortDate(startsAt, clock)}</span>}
          <span className={cn('block', showsDay ? 'text-xs text-fg-2' : 'text-fg')}>{formatTime(startsAt, clock.timeZone)}</span>
          <span className="block text-xs text-fg-3">{formatDuration(lengthOf(surgery))}</span>
        </span>
        <span className="min-w-0">
          <span
            className={cn(
              'block truncate font-medium',
              narrow ? 'text-title' : 'text-sm',
              status === 'cancelled' ? 'text-fg-3 line-through' : 'text-fg',
            )}
          >
            {patientName(surgery)}
          </span>
          <span className={cn('block truncate text-fg-2', narrow ? 'text-sm' : 'text-xs')}>{formatProcedures(surgery)}</span>
          <SameNameMark booking={surgery} />
          {narrow && <span className="block truncate text-sm text-fg-3">{[surgeon, room].filter(Boolean).join(' · ')}</span>}
        </span>
        {!narrow && (
          <span className="min-w-0">
            <span className="block truncate text-sm text-fg-2">{surgeon ?? <None>No surgeon</None>}</span>
            <span className="block truncate text-xs text-fg-3">{room ?? 'No room'}</span>
          </span>
        )}
        <span className={cn('flex', narrow && 'self-start pt-0.5')}>
          <StatusBadge status={shownStatus} />
        </span>
      </button>
      <Missing surgery={surgery} narrow={narrow} onOpen={onOpen} />
    </li>
  )
}

/** The missing items, linking to the one due first. Red within a week of the surgery. */
function Missing({ surgery, narrow, onOpen }: Pick<RowProps, 'surgery' | 'onOpen'> & { narrow: boolean }) {
  const { id, status, missing } = surgery
  const [first] = missing
  if (!isPlanned(status)) return narrow ? null : <span className="flex-[2]" />
  const place = narrow ? 'pr-4 pb-2.5 pl-23 md:pl-26' : 'flex-[2] pr-4 pl-2 md:pr-6'
  if (!first) return <span className={cn('self-center text-sm text-fg-3', place, narrow && 'self-start')}>Nothing missing</span>
  const red = isUrgent(surgery) && 'text-danger-fg'
  return (
    <button
      type="button"
      aria-label={`Open item: ${first.words}`}
      title={missing.map(({ words }) => words).join('\n')}
      onClick={() => onOpen(id, first.id)}
      className={cn('group flex min-w-0 items-center gap-1.5 text-left text-sm text-fg-2 outline-offset-[-2px] hover:bg-hover', place, red)}
    >
      <ListTodo aria-hidden="true" className={cn('flex-none text-fg-3', red)} />
      <span className="min-w-0 flex-1">
        <span className="block tabular-nums">{missing.length} missing</span>
        <span className={cn('block truncate text-xs text-fg-3', red)}>{formatMissing(missing, narrow ? 1 : 3)}</span>
      </span>
      <ChevronRight aria-hidden="true" className={cn('flex-none text-fg-3', red)} />
    </button>
  )
}

function NoSurgeries({ page: { search, names }, onClear, onBook }: Pick<SurgeryListProps, 'page' | 'onClear' | 'onBook'>) {
  const { provider, room, status, missing } = search
  const filters = [
    provider && providerName(provider, names),
    room && roomName(room, names),
    status && statusLabels[status],
    missing && 'items missing',
  ].filter(Boolean)
  if (filters.length > 0)
    return (
      <EmptyState icon={<CalendarHeart />} title="No matching surgeries" actions={<Button onClick={onClear}>Clear filters</Button>}>
        Filters are on: {filters.join(', ')}.
      </EmptyState>
    )
  return (
    <EmptyState icon={<CalendarHeart />} title="No upcoming surgeries" actions={onBook && <Button onClick={onBook}>Book surgery</Button>}>
      Booked surgeries appear here by day, with their missing items.
    </EmptyState>
  )
}
