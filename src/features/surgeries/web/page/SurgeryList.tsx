import { CalendarHeart, ListTodo } from 'lucide-react'
import { toLocal } from '../../../../shared/zoned-time.ts'
import { lengthOf } from '../../../calendar/web/embed/entry.ts'
import { type Names, providerName, roomName } from '../../../calendar/web/embed/names.ts'
import { lengthInWords } from '../../../calendar/web/embed/times.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { cn } from '../../../../web/ui/cn.ts'
import { EmptyState } from '../../../../web/ui/EmptyState.tsx'
import { type Clock, formatDayHeading, formatTime } from '../../../../web/ui/format.ts'
import { None } from '../../../../web/ui/Table.tsx'
import { StatusBadge } from '../StatusMark.tsx'
import { patientName, type SurgeryInList } from '../surgery-data.ts'
import { daysToGoInWords, isAwaited, missingInWords, proceduresInWords, statusLabels } from '../words.ts'
import type { SurgeriesSearch } from './surgeries-search.ts'

interface SurgeryListProps {
  surgeries: readonly SurgeryInList[]
  search: SurgeriesSearch
  names: Names
  clock: Clock
  narrow: boolean
  onOpen: (id: string) => void
  onClear: () => void
  onBook: (() => void) | undefined
}

/** Day by day, who is operated on, and what is missing before. */
export function SurgeryList({ surgeries, search, names, clock, narrow, onOpen, onClear, onBook }: SurgeryListProps) {
  if (surgeries.length === 0) return <NoSurgeries search={search} names={names} onClear={onClear} onBook={onBook} />
  const days = [...Map.groupBy(surgeries, ({ startsAt }) => toLocal(startsAt, clock.timeZone).day)]
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto" data-scroll-restoration-id="surgeries">
      {days.map(([day, ofDay]) => {
        const heading = formatDayHeading(ofDay[0]!.startsAt, clock)
        const { daysToGo } = ofDay[0]!
        return (
          <section key={day} aria-label={heading}>
            <h3 className="sticky top-0 z-(--z-sticky) flex h-(--row-head) items-center gap-2 border-b border-line bg-subtle px-4 text-xs font-medium text-fg-2 md:px-6">
              {heading}
              {daysToGo !== 0 && <span className="font-regular text-fg-3 tabular-nums">{daysToGoInWords(daysToGo)}</span>}
              <span className="ml-auto font-regular text-fg-3 tabular-nums">{ofDay.length}</span>
            </h3>
            <ul>
              {ofDay.map((surgery) => (
                <li key={surgery.id} className="border-b border-line">
                  <button
                    type="button"
                    data-entry={surgery.id}
                    onClick={() => onOpen(surgery.id)}
                    className={cn(
                      'grid w-full items-center gap-x-4 px-4 text-left outline-offset-[-2px] hover:bg-hover md:px-6',
                      narrow
                        ? 'min-h-17 grid-cols-[4.5rem_minmax(0,1fr)_auto] gap-x-3 py-2'
                        : 'min-h-(--row) grid-cols-[5.5rem_minmax(0,5fr)_minmax(0,3fr)_minmax(0,6fr)_6.5rem] py-1',
                    )}
                  >
                    <Row surgery={surgery} names={names} clock={clock} narrow={narrow} />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

interface RowProps extends Pick<SurgeryListProps, 'names' | 'clock' | 'narrow'> {
  surgery: SurgeryInList
}

function Row({ surgery, names, clock, narrow }: RowProps) {
  const { shownStatus, status, startsAt, surgeonId, roomId } = surgery
  const [surgeon, room] = [providerName(surgeonId, names), roomName(roomId, names)]
  return (
    <>
      <span className="self-start pt-0.5 text-sm tabular-nums">
        <span className="block text-fg">{formatTime(startsAt, clock.timeZone)}</span>
        <span className="block text-xs text-fg-3">{lengthInWords(lengthOf(surgery))}</span>
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
        <span className={cn('block truncate text-fg-2', narrow ? 'text-sm' : 'text-xs')}>{proceduresInWords(surgery)}</span>
        {narrow && (
          <>
            <span className="block truncate text-sm text-fg-3">{[surgeon, room].filter(Boolean).join(' · ')}</span>
            <Missing surgery={surgery} narrow />
          </>
        )}
      </span>
      {!narrow && (
        <>
          <span className="min-w-0">
            <span className="block truncate text-sm text-fg-2">{surgeon ?? <None>No surgeon</None>}</span>
            <span className="block truncate text-xs text-fg-3">{room ?? 'No room'}</span>
          </span>
          <Missing surgery={surgery} />
        </>
      )}
      <span className={cn('flex', narrow && 'self-start pt-0.5')}>
        <StatusBadge status={shownStatus} />
      </span>
    </>
  )
}

/** The first few things that it waits for, and how many there are. */
function Missing({ surgery: { status, missing }, narrow = false }: { surgery: SurgeryInList; narrow?: boolean }) {
  if (!isAwaited(status)) return narrow ? null : <span />
  if (missing.length === 0) return <span className="block text-sm text-fg-3">Nothing missing</span>
  const count = `${missing.length} missing`
  return (
    <span className="flex min-w-0 gap-1.5 text-sm text-fg-2" title={missing.map(({ words }) => words).join('\n')}>
      <ListTodo aria-hidden="true" className="mt-0.5 flex-none text-fg-3" />
      {narrow ? (
        <span className="truncate tabular-nums">
          {count}: {missingInWords(missing, 1)}
        </span>
      ) : (
        <span className="min-w-0">
          <span className="block tabular-nums">{count}</span>
          <span className="block truncate text-xs text-fg-3">{missingInWords(missing, 3)}</span>
        </span>
      )}
    </span>
  )
}

function NoSurgeries({ search, names, onClear, onBook }: Pick<SurgeryListProps, 'search' | 'names' | 'onClear' | 'onBook'>) {
  const { provider, room, status, missing } = search
  const filters = [
    provider && providerName(provider, names),
    room && roomName(room, names),
    status && statusLabels[status],
    missing && 'something missing',
  ].filter(Boolean)
  if (filters.length > 0)
    return (
      <EmptyState icon={<CalendarHeart />} title="No surgery matches" actions={<Button onClick={onClear}>Clear filters</Button>}>
        Filters are on: {filters.join(', ')}.
      </EmptyState>
    )
  return (
    <EmptyState icon={<CalendarHeart />} title="No surgeries to come" actions={onBook && <Button onClick={onBook}>Book surgery</Button>}>
      Booked surgeries stand here by their day, with what is still missing before each.
    </EmptyState>
  )
}
