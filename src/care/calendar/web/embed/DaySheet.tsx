import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { type ReactNode, useCallback } from 'react'
import { PrintHead } from '../../../../ui/layout/PrintHead.tsx'
import { useSession } from '../../../../ui/client/session.ts'
import { type Clock, formatDateTime } from '../../../../ui/format.ts'
import { PrintSheet } from '../../../../ui/display/PrintSheet.tsx'
import { recordPrint } from '../../../../platform/audit/web/embed/printed.ts'
import { type Entry, lengthOf } from './entry.ts'
import { formatDuration, formatTimes } from './times.ts'

interface Printed {
  id: string
  contact: { id: string }
}

interface DaySheetProps<One extends Printed> {
  noun: 'appointment' | 'surgery'
  day: string
  entries: readonly One[]
  /** In words, what is not shown. */
  filters: readonly (string | false | null | undefined)[]
  /** The heading that it stands under. */
  groupOf: (one: One) => string
  renderEntry: (one: One) => ReactNode
  clock: Clock
}

const plurals = { appointment: 'appointments', surgery: 'surgeries' }

/** A day on paper: who comes when, under headings. */
export function DaySheet<One extends Printed>({ noun, day, entries, filters, groupOf, renderEntry, clock }: DaySheetProps<One>) {
  const { user } = useSession()
  const tell = useCallback(
    () =>
      recordPrint(
        noun,
        entries.map(({ contact }) => contact.id),
      ),
    [noun, entries],
  )
  const plural = plurals[noun]
  const chosen = filters.filter(Boolean)
  const groups = [...Map.groupBy(entries, groupOf)].toSorted(([a], [b]) => a.localeCompare(b))
  return (
    <PrintSheet wide onPrint={tell}>
      <PrintHead title={plural} />
      <p className="pt-1 text-md">
        {format(parseISO(day), 'EEEE, MMMM d, yyyy')} · {entries.length} {entries.length === 1 ? noun : plural}
      </p>
      {chosen.length > 0 && <p className="text-sm">Filters are on: {chosen.join(', ')}</p>}
      {groups.map(([name, ofGroup]) => (
        <section key={name} className="pt-5">
          <h2 className="break-after-avoid border-b pb-1 text-lg font-semibold">{name}</h2>
          {ofGroup.map((one) => (
            <article key={one.id} className="flex break-inside-avoid gap-6 border-b py-3">
              {renderEntry(one)}
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

/** From when to when, how long, and what has become of it. */
export function PrintedTime({ entry, status, clock }: { entry: Pick<Entry, 'startsAt' | 'endsAt'>; status: string; clock: Clock }) {
  return (
    <div className="w-36 flex-none text-sm tabular-nums">
      <p className="font-semibold">{formatTimes(entry.startsAt, entry.endsAt, clock.timeZone)}</p>
      <p>{formatDuration(lengthOf(entry))}</p>
      <p>{status}</p>
    </div>
  )
}

/** What is known of it, a line each. What is null is left out. */
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
