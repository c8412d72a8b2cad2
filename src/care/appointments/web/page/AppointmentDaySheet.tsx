import type { Clock } from '../../../../ui/format.ts'
import { nameWithPreferred } from '../../../../crm/contacts/web/embed/contact-data.ts'
import { identityLines } from '../../../calendar/web/embed/booking/SameName.tsx'
import { DaySheet, PrintedLines, PrintedTime } from '../../../calendar/web/embed/day/DaySheet.tsx'
import { providerName, roomName } from '../../../calendar/web/embed/names.ts'
import type { CalendarPage } from '../../../calendar/web/embed/useCalendarPage.ts'
import type { AppointmentData } from '../appointment-data.ts'
import { statusLabels, typeLabels } from '../embed/labels.ts'

interface AppointmentDaySheetProps {
  appointments: readonly AppointmentData[]
  page: CalendarPage
}

/** The printed day for the front desk, grouped by room if the calendar has room columns, otherwise by provider. */
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
      renderEntry={(one) => <Visit appointment={one} secondary={isByRoom ? providerOf(one) : roomOf(one)} clock={clock} />}
      clock={clock}
    />
  )
}

interface VisitProps {
  appointment: AppointmentData
  /** The provider or the room, whichever is not in the heading. */
  secondary: string | null
  clock: Clock
}

function Visit({ appointment, secondary, clock }: VisitProps) {
  const { type, status, notes, cancelReason } = appointment
  return (
    <>
      <PrintedTime entry={appointment} status={statusLabels[status]} clock={clock} />
      <div className="min-w-0 flex-1">
        <h3 className="text-md font-semibold">{nameWithPreferred(appointment.contact)}</h3>
        <p className="text-sm">{[typeLabels[type], secondary].filter(Boolean).join(' · ')}</p>
        <PrintedLines lines={[...identityLines(appointment, clock), ['Notes', notes], ['Cancelled', cancelReason]]} />
      </div>
    </>
  )
}
