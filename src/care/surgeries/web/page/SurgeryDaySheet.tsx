import type { Clock } from '../../../../ui/format.ts'
import { nameWithPreferred } from '../../../../crm/contacts/web/embed/contact-data.ts'
import { identityLines } from '../../../calendar/web/embed/booking/SameName.tsx'
import { DaySheet, PrintedLines, PrintedTime } from '../../../calendar/web/embed/day/DaySheet.tsx'
import { type Names, providerName, roomName } from '../../../calendar/web/embed/names.ts'
import type { CalendarPage } from '../../../calendar/web/embed/useCalendarPage.ts'
import type { SurgeryInList } from '../surgery-data.ts'
import { anaesthesiaLabels, formatProcedures, statusLabels } from '../labels.ts'
import type { SurgeriesSearch } from './surgeries-search.ts'

interface SurgeryDaySheetProps {
  surgeries: readonly SurgeryInList[]
  page: CalendarPage<SurgeriesSearch>
}

/** The printed day for the operating rooms: surgeries by room and time. */
export function SurgeryDaySheet({ surgeries, page }: SurgeryDaySheetProps) {
  const { shown, names, clock } = page
  const { provider, room, status, missing } = page.search
  return (
    <DaySheet
      noun="surgery"
      day={shown}
      entries={surgeries}
      filters={[
        provider && providerName(provider, names),
        room && roomName(room, names),
        status && statusLabels[status],
        missing && 'items missing',
      ]}
      groupOf={({ roomId }) => roomName(roomId, names) ?? 'No room'}
      renderEntry={(surgery) => <Case surgery={surgery} names={names} clock={clock} />}
      clock={clock}
    />
  )
}

function Case({ surgery, names, clock }: { surgery: SurgeryInList; names: Names; clock: Clock }) {
  const { surgeonId, assistantIds, anaesthesia, implants, notes, shownStatus, missing } = surgery
  return (
    <>
      <PrintedTime entry={surgery} status={statusLabels[shownStatus]} clock={clock} />
      <div className="min-w-0 flex-1">
        <h3 className="text-md font-semibold">{nameWithPreferred(surgery.contact)}</h3>
        <p className="text-sm">{formatProcedures(surgery)}</p>
        <PrintedLines
          lines={[
            ...identityLines(surgery, clock),
            ['Surgeon', providerName(surgeonId, names) ?? 'None'],
            ['Assistants', assistantIds.map((id) => providerName(id, names)).join(', ') || 'None'],
            ['Anaesthesia', anaesthesiaLabels[anaesthesia]],
            ['Implants', implants ?? 'None'],
            ['Notes', notes],
            ['Missing', missing.map(({ words }) => words).join(' · ') || 'Nothing'],
          ]}
        />
      </div>
    </>
  )
}
