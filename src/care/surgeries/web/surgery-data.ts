import type { Client } from '../../../ui/client/api.ts'

/** A case with its checklist as it arrives in the browser: instants are ISO strings. */
export type SurgeryData = Awaited<ReturnType<Client['surgeries']['get']>>
/** A case without its checklist, but with what is missing. */
export type SurgeryInList = Omit<SurgeryData, 'items'>
export type ItemData = SurgeryData['items'][number]

/** A patient whom a surgery is for. */
export interface SurgeryPatient {
  id: string
  firstName: string
  lastName: string
}

export const patientName = ({ contact }: Pick<SurgeryInList, 'contact'>): string => `${contact.firstName} ${contact.lastName}`
