import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { useCallback } from 'react'
import { lengthOf } from '../../../calendar/web/embed/entry.ts'
import { type Names, providerName, roomName } from '../../../calendar/web/embed/names.ts'
import { lengthInWords, timesInWords } from '../../../calendar/web/embed/times.ts'
import { tellPrinted } from '../../../audit/web/embed/printed.ts'
import { PrintHead } from '../../../../web/layout/PrintHead.tsx'
import { useSession } from '../../../../web/session.ts'
import { type Clock, formatDateTime } from '../../../../web/ui/format.ts'
import { PrintSheet } from '../../../../web/ui/PrintSheet.tsx'
import { patientName, type SurgeryInList } from '../surgery-data.ts'
import { anaesthesiaLabels, proceduresInWords, statusLabels } from '../words.ts'
import type { SurgeriesSearch } from './surgeries-search.ts'

interface DaySheetProps {
  day: string
  surgeries: readonly SurgeryInList[]
  search: SurgeriesSearch
  names: Names
  clock: Clock
}

/** What hangs in the theatre: a day's surgeries by room and time. */
export function DaySheet({ day, surgeries, search, names, clock }: DaySheetProps) {
  const { user } = useSession()
  const { provider, room, status, missing } = search
  const tell = useCallback(
    () =>
      tellPrinted(
        'surgery',
        surgeries.map(({ contact }) => contact.id),
      ),
    [surgeries],
  )
  const filters = [
    provider && providerName(provider, names),
    room && roomName(room, names),
    status && statusLabels[status],
    missing && 'something missing',
  ].filter(Boolean)
  const rooms = [...Map.groupBy(surgeries, ({ roomId }) => roomName(roomId, names) ?? 'No room')].toSorted(([a], [b]) => a.localeCompare(b))
  return (
    <PrintSheet wide onPrint={tell}>
      <PrintHead title="surgeries" />
      <p className="pt-1 text-md">
        {format(parseISO(day), 'EEEE, MMMM d, yyyy')} · {surgeries.length === 1 ? '1 surgery' : `${surgeries.length} surgeries`}
      </p>
      {filters.length > 0 && <p className="text-sm">Filters are on: {filters.join(', ')}</p>}
      {rooms.map(([name, ofRoom]) => (
        <section key={name} className="pt-5">
          <h2 className="break-after-avoid border-b pb-1 text-lg font-semibold">{name}</h2>
          {ofRoom.map((surgery) => (
            <Case key={surgery.id} surgery={surgery} names={names} clock={clock} />
          ))}
        </section>
      ))}
      {surgeries.length === 0 && <p className="pt-6 text-md">No surgeries on this day.</p>}
      <p className="pt-8 text-xs">
        Printed {formatDateTime(clock.now, clock)} by {user?.fullName}
      </p>
    </PrintSheet>
  )
}

function Case({ surgery, names, clock }: { surgery: SurgeryInList; names: Names; clock: Clock }) {
  const { startsAt, endsAt, surgeonId, assistantIds, anaesthesia, implants, notes, shownStatus, missing } = surgery
  const lines = [
    ['Surgeon', providerName(surgeonId, names) ?? 'None'],
    ['Assistants', assistantIds.map((id) => providerName(id, names)).join(', ') || 'None'],
    ['Anaesthesia', anaesthesiaLabels[anaesthesia]],
    ['Implants', implants ?? 'None'],
    ['Notes', notes],
    ['Missing', missing.map(({ words }) => words).join(' · ') || 'Nothing'],
  ].filter(([, value]) => value !== null)
  return (
    <article className="flex break-inside-avoid gap-6 border-b py-3">
      <div className="w-36 flex-none text-sm tabular-nums">
        <p className="font-semibold">{timesInWords(startsAt, endsAt, clock.timeZone)}</p>
        <p>{lengthInWords(lengthOf(surgery))}</p>
        <p>{statusLabels[shownStatus]}</p>
      </div>
      <div className="min-w-0 flex-1">
        <h3 className="text-md font-semibold">{patientName(surgery)}</h3>
        <p className="text-sm">{proceduresInWords(surgery)}</p>
        <dl className="grid grid-cols-[6rem_minmax(0,1fr)] pt-1 text-sm">
          {lines.map(([label, value]) => (
            <div key={label} className="contents">
              <dt>{label}</dt>
              <dd className="whitespace-pre-wrap">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </article>
  )
}
