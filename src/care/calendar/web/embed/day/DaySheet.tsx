import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { type ReactNode, useCallback } from 'react'
import { PrintHead } from '../../../../../ui/layout/PrintHead.tsx'
import { useSession } from '../../../../../ui/client/session.ts'
import { type Clock, formatDateTime } from '../../../../../ui/format.ts'
import { PrintSheet } from '../../../../../ui/display/PrintSheet.tsx'
import { recordPrint } from '../../../../../platform/audit/web/embed/record-print.ts'
import { type Entry, lengthOf } from '../grid/entry.ts'
import { formatDuration, formatTimes } from '../times.ts'

interface PrintedBooking {
  id: string
  contact: { id: string }
}

interface DaySheetProps<Item extends PrintedBooking> {
  noun: 'appointment' | 'surgery'
  day: string
  entries: readonly Item[]
  /** Labels of the active filters. */
  filters: readonly (string | false | null | undefined)[]
  /** The heading of an entry's group. */
  groupOf: (item: Item) => string
  renderEntry: (item: Item) => ReactNode
  clock: Clock
}

const plurals = { appointment: 'appointments', surgery: 'surgeries' }

/** A printed day of bookings, in groups. */
export function DaySheet<Item extends PrintedBooking>({ noun, day, entries, filters, groupOf, renderEntry, clock }: DaySheetProps<Item>) {
  const { user } = useSession()
  const recordPrinting = useCallback(
    () =>
      recordPrint(
        noun,
        entries.map(({ contact }) => contact.id),
      ),
    [noun, entries],
  )
  const plural = plurals[noun]
  const activeFilters = filters.filter(Boolean)
  const groups = [...Map.groupBy(entries, groupOf)].toSorted(([a], [b]) => a.localeCompare(b))
  return (
    <PrintSheet wide onPrint={recordPrinting}>
      <PrintHead title={plural} />
      <p className="pt-1 text-md">
        {format(parseISO(day), 'EEEE, MMMM d, yyyy')} · {entries.length} {entries.length === 1 ? noun : plural}
      </p>
      {activeFilters.length > 0 && <p className="text-sm">Filters are on: {activeFilters.join(', ')}</p>}
      {groups.map(([name, ofGroup]) => (
        <section key={name} className="pt-5">
          <h2 className="break-after-avoid border-b pb-1 text-lg font-semibold">{name}</h2>
          {ofGroup.map((item) => (
            <article key={item.id} className="flex break-inside-avoid gap-6 border-b py-3">
              {renderEntry(item)}
            </article>
          ))}
        </section>
      ))}
      {entries.length === 0 && <p className="pt-6 text-md">No {plural} on this day.</p>}
      <p className="pt-8 text-xs">
        Printed {formatDateTime(clock.now, clock)} by {user?.fullName}
      </p>
    </PrintSheet>
  )
}

/** Times, duration and status. */
export function PrintedTime({ entry, status, clock }: { entry: Pick<Entry, 'startsAt' | 'endsAt'>; status: string; clock: Clock }) {
  return (
    <div className="w-36 flex-none text-sm tabular-nums">
      <p className="font-semibold">{formatTimes(entry.startsAt, entry.endsAt, clock.timeZone)}</p>
      <p>{formatDuration(lengthOf(entry))}</p>
      <p>{status}</p>
    </div>
  )
}

/** Details, one per line. Null values are omitted. */
export function PrintedLines({ lines }: { lines: readonly (readonly [label: string, value: string | null])[] }) {
  return (
    <dl className="grid grid-cols-[6rem_minmax(0,1fr)] pt-1 text-sm">
      {lines
        .filter(([, value]) => value !== null)
        .map(([label, value]) => (
          <div key={label} className="contents">
            <dt>{label}</dt>
            <dd className="whitespace-pre-wrap">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
