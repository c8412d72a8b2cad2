import type { Clock } from '../../../../ui/format.ts'
import type { Columns } from '../../../calendar/web/embed/calendar-search.ts'
import { DaySheet, PrintedLines, PrintedTime } from '../../../calendar/web/embed/DaySheet.tsx'
import { type Names, providerName, roomName } from '../../../calendar/web/embed/names.ts'
import { type AppointmentData, patientName } from '../appointment-data.ts'
import type { AppointmentsSearch } from './appointments-search.ts'
import { statusLabels, typeLabels } from '../labels.ts'

interface AppointmentDaySheetProps {
  day: string
  appointments: readonly AppointmentData[]
  search: AppointmentsSearch
  /** As the calendar beside it has its columns; by provider where it has one alone. */
  by: Columns | null
  names: Names
  clock: Clock
}

/** What lies on the front desk: who comes to whom, and when. */
export function AppointmentDaySheet({ day, appointments, search, by, names, clock }: AppointmentDaySheetProps) {
  const { provider, room } = search
  const isByRoom = by === 'room'
  const providerOf = ({ providerId }: AppointmentData) => providerName(providerId, names)
  const roomOf = ({ roomId }: AppointmentData) => roomName(roomId, names)
  return (
    <DaySheet
      noun="appointment"
      day={day}
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
