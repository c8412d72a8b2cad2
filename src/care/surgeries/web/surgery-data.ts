import { type Client, orpc } from '../../../ui/client/api.ts'
import type { BookedPatient, BookingKind } from '../../calendar/web/embed/booking/bookings.ts'

export { patientName } from '../../calendar/web/embed/booking/bookings.ts'

/** A case with its checklist as the API returns it: instants are ISO strings. */
export type SurgeryData = Awaited<ReturnType<Client['surgeries']['get']>>
/** A case without its checklist, but with missing items. */
export type SurgeryInList = Omit<SurgeryData, 'items'>
export type ItemData = SurgeryData['items'][number]

/** The patient of a surgery. */
export type SurgeryPatient = BookedPatient

export const surgeryKind: BookingKind<SurgeryInList> = {
  noun: 'surgery',
  queries: orpc.surgeries,
  slotOf: ({ startsAt, endsAt, surgeonId, roomId }) => ({ startsAt, endsAt, providerId: surgeonId, roomId }),
  fieldsOf: ({ startsAt, endsAt, providerId, roomId }) => ({ startsAt, endsAt, surgeonId: providerId, roomId }),
}
