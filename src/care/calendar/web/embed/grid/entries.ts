import type { EventInput } from '@fullcalendar/react'
import { daysLater } from '../../../../../shared/zoned-time.ts'
import type { Entry } from './entry.ts'
import { fromWall, toWall } from './wall-clock.ts'

/** A column of the day view: a provider, a room, or unassigned (`id` null). */
export interface Column {
  id: string | null
  name: string
}

export interface DayColumns {
  by: 'provider' | 'room'
  columns: readonly Column[]
  /** The day that all columns show. */
  day: string
}

// The columns of one day are rendered as consecutive days of an unused year.
const firstColumn = '2001-01-01'
const dayOfColumn = (index: number): string => daysLater(firstColumn, index)
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

export const columnsFrom = firstColumn
export const columnAt = ({ columns }: DayColumns, day: string): Column | undefined => columns[daysBetween(firstColumn, day)]

const columnOf = ({ by, columns }: DayColumns, { providerId, roomId }: Entry): number => {
  const id = by === 'provider' ? providerId : roomId
  return columns.findIndex((column) => column.id === id)
}

interface Situation {
  timeZone: string
  columns: DayColumns | null
  mayChange: boolean
}

/** Entries as FullCalendar events. Entries without a column are omitted. */
export function eventsOf(entries: readonly Entry[], { timeZone, columns, mayChange }: Situation): EventInput[] {
  return entries.flatMap((entry) => {
    const [start, end] = [toWall(entry.startsAt, timeZone), toWall(entry.endsAt, timeZone)]
    const at = columns ? columnOf(columns, entry) : 0
    if (at < 0) return []
    const event = { id: entry.id, title: entry.title, editable: mayChange && entry.isMovable }
    if (!columns) return [{ ...event, start, end }]
    const moved = (wall: string) => `${daysLater(dayOfColumn(at), daysBetween(columns.day, wall.slice(0, 10)))}${wall.slice(10)}`
    return [{ ...event, start: moved(start), end: moved(end) }]
  })
}

export interface Place {
  startsAt: Date
  endsAt: Date
  column: Column | undefined
}

/** The instants and the column of a position in the calendar. */
export function placeOf(
  { startStr, endStr }: { startStr: string; endStr: string },
  { timeZone, columns }: Pick<Situation, 'timeZone' | 'columns'>,
): Place {
  if (!columns) return { startsAt: fromWall(startStr, timeZone), endsAt: fromWall(endStr, timeZone), column: undefined }
  const day = startStr.slice(0, 10)
  const moved = (wall: string) => `${daysLater(columns.day, daysBetween(day, wall.slice(0, 10)))}${wall.slice(10)}`
  return {
    startsAt: fromWall(moved(startStr), timeZone),
    endsAt: fromWall(moved(endStr), timeZone),
    column: columnAt(columns, day),
  }
}

/** The columns of a day: the known ones, former ones that still have entries, and last the unassigned one if needed. */
export function columnsOf(
  by: DayColumns['by'],
  known: readonly Column[],
  entries: readonly Entry[],
  nameOf: (id: string) => string,
): Column[] {
  const ids = new Set(entries.map(({ providerId, roomId }) => (by === 'provider' ? providerId : roomId)))
  const formerIds = [...ids].filter((id): id is string => id !== null && !known.some((column) => column.id === id))
  const unassigned = ids.has(null) || known.length === 0 ? [{ id: null, name: by === 'provider' ? 'No provider' : 'No room' }] : []
  return [...known, ...formerIds.map((id) => ({ id, name: nameOf(id) })), ...unassigned]
}
