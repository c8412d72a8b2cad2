import type { CalendarOptions, EventDisplayInfo } from '@fullcalendar/react'
import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import type { ReactNode } from 'react'
import { cn } from '../../../../../ui/cn.ts'
import { type Clock, formatTimeOfDay, today } from '../../../../../ui/format.ts'
import { columnAt, type DayColumns, placeOf } from './entries.ts'
import type { Entry } from './entry.ts'
import { formatTimes } from '../times.ts'

/** How an event is rendered. */
export interface EventSituation {
  /** While dragging, the times at the current position. */
  startsAt: Date
  endsAt: Date
  /** One line; if narrow as well, only the time. */
  isShort: boolean
  isNarrow: boolean
  /** Omitted, because the column shows it. */
  hides: 'provider' | 'room' | null
}

/** Renders the content of an event. */
type RenderEvent = (id: string, situation: EventSituation) => ReactNode

/** The entries of the calendar and how their content is rendered. */
export interface CalendarEvents {
  entries: readonly Entry[]
  /** Read-only entries of another calendar that occupy the same people and rooms, shown behind the entries. */
  background?: readonly Entry[] | undefined
  /** A stable function, so that events are not rendered again. */
  render: RenderEvent
}

interface GridState {
  view: 'month' | 'week' | 'day'
  byId: ReadonlyMap<string, Entry>
  columns: DayColumns | null
  renderEvent: RenderEvent
  clock: Clock
}

/** The calendar's dates are in UTC. */
export const isoDay = (date: Date): string => date.toISOString().slice(0, 10)

interface DayHeadProps {
  day: string
  isToday: boolean
  /** Only the day of the month. */
  short?: boolean
}

/** The heading of a day, which links to it. */
function DayHead({ day, isToday, short }: DayHeadProps) {
  const date = parseISO(day)
  return (
    <span
      className={cn(
        'flex h-6 min-w-6 items-center truncate rounded-xs px-1 text-xs font-medium tabular-nums group-hover/day:text-fg',
        isToday ? 'text-accent-fg' : 'text-fg-3',
        short && 'justify-center',
        short && isToday && 'bg-accent text-on-accent group-hover/day:text-on-accent',
      )}
    >
      {short ? format(date, date.getDate() === 1 ? 'MMM d' : 'd') : `${format(date, 'EEE d')}${isToday ? ', today' : ''}`}
    </span>
  )
}

/** Classes of an event. The selection while marking a time is not an entry. */
const eventClass =
  ({ byId }: GridState) =>
  ({ event, isMirror, isDragging }: EventDisplayInfo): string => {
    const colors = byId.get(event.id)?.colors ?? 'bg-accent-soft text-accent-fg'
    return `relative rounded-xs p-0.5 pr-1 outline-offset-1 select-none ${colors} ${isMirror || isDragging ? 'shadow-md' : ''}`
  }

const eventContent =
  ({ byId, columns, renderEvent, clock: { timeZone } }: GridState) =>
  ({ event, isShort, isNarrow, view: { type } }: EventDisplayInfo) => {
    const { startsAt, endsAt } = placeOf(event, { timeZone, columns })
    if (!byId.has(event.id))
      return <span className="block truncate px-1 text-xs tabular-nums">{formatTimes(startsAt, endsAt, timeZone)}</span>
    const isLine = isShort || type === 'dayGridMonth'
    return renderEvent(event.id, { startsAt, endsAt, isShort: isLine, isNarrow, hides: columns?.by ?? null })
  }

const dayHeaderContent =
  ({ view, columns, clock }: GridState) =>
  ({ date }: { date: Date }) => {
    const [day, column] = [isoDay(date), columns && columnAt(columns, isoDay(date))]
    if (column) return <span className="truncate px-1 text-sm font-medium">{column.name}</span>
    if (view === 'month') return <span className="px-1 text-xs font-medium text-fg-3">{format(parseISO(day), 'EEE')}</span>
    return <DayHead day={day} isToday={day === today(clock)} />
  }

const dayCellTopContent =
  ({ clock }: GridState) =>
  ({ date }: { date: Date }) => <DayHead day={isoDay(date)} isToday={isoDay(date) === today(clock)} short />

/** '9 a.m.' */
const slotHeaderContent = ({ date }: { date: Date }) =>
  date.getUTCHours() === 0 ? null : formatTimeOfDay(date.toISOString().slice(11, 16)).replace(':00', '')

/** The content of the calendar's cells. */
export const gridContent = (grid: GridState): CalendarOptions => ({
  eventClass: eventClass(grid),
  eventContent: eventContent(grid),
  dayHeaderContent: dayHeaderContent(grid),
  dayCellTopContent: dayCellTopContent(grid),
  slotHeaderContent,
  dayHeaderDidMount({ el, date }) {
    // A column is named after its provider or room, not after its placeholder day.
    const column = grid.columns && columnAt(grid.columns, isoDay(date))
    if (column) el.setAttribute('aria-label', column.name)
  },
  eventDidMount({ el, event }) {
    el.dataset.entry = event.id
  },
})
