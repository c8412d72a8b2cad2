import type { Clock } from '../../../../ui/format.ts'
import { DaySheet, PrintedLines, PrintedTime } from '../../../calendar/web/embed/DaySheet.tsx'
import { providerName, roomName } from '../../../calendar/web/embed/names.ts'
import type { CalendarPage } from '../../../calendar/web/embed/useCalendarPage.ts'
import { type AppointmentData, patientName } from '../appointment-data.ts'
import { statusLabels, typeLabels } from '../labels.ts'

interface AppointmentDaySheetProps {
  appointments: readonly AppointmentData[]
  page: CalendarPage
}

/** What lies on the front desk: who comes to whom, and when. By room where the calendar has a column for each, else by provider. */
export function AppointmentDaySheet({ appointments, page }: AppointmentDaySheetProps) {
  const { shown, by, names, clock } = page
  const { provider, room } = page.search
  const isByRoom = by === 'room'
  const providerOf = ({ providerId }: AppointmentData) => providerName(providerId, names)
  const roomOf = ({ roomId }: AppointmentData) => roomName(roomId, names)
  return (
    <DaySheet
      noun="appointment"
      day={shown}
      entries={appointments}
      filters={[provider && providerName(provider, names), room && roomName(room, names)]}
      groupOf={(one) => (isByRoom ? (roomOf(one) ?? 'No room') : (providerOf(one) ?? 'No provider'))}
      renderEntry={(one) => <Visit appointment={one} beside={isByRoom ? providerOf(one) : roomOf(one)} clock={clock} />}
      clock={clock}
    />
  )
}

interface VisitProps {
  appointment: AppointmentData
  /** With whom or where it is, whichever the heading does not say. */
  beside: string | null
  clock: Clock
}

function Visit({ appointment, beside, clock }: VisitProps) {
  const { type, status, notes, cancelReason } = appointment
  return (
    <>
      <PrintedTime entry={appointment} status={statusLabels[status]} clock={clock} />
      <div className="min-w-0 flex-1">
        <h3 className="text-md font-semibold">{patientName(appointment)}</h3>
        <p className="text-sm">{[typeLabels[type], beside].filter(Boolean).join(' · ')}</p>
        <PrintedLines
          lines={[
            ['Notes', notes],
            ['Cancelled', cancelReason],
          ]}
        />
      </div>
    </>
  )
}
