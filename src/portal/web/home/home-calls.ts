import type { RescheduleInput } from '../../../care/appointments/web/embed/RescheduleForm.tsx'
import type { OwnInstructions, PatientHome } from '../../home-contract.ts'
import { type Credentials, post } from '../calls.ts'

type Sent<Row, Instants extends string> = Omit<Row, Instants> & {
  [K in Instants & keyof Row]: Row[K] extends Date ? string : string | null
}
/** As the API returns them: instants are ISO strings. */
export type AppointmentData = Sent<PatientHome['appointments'][number], 'startsAt' | 'askedAt'>
export type SurgeryData = Sent<PatientHome['surgeries'][number], 'startsAt'>
export type HomeFormData = Sent<PatientHome['forms'][number], 'expiresAt'>
export type HomeConsentData = Sent<PatientHome['consents'][number], 'signedAt'>
type LastMessage = Sent<NonNullable<PatientHome['messages']['last']>, 'createdAt'>
export type HomeData = Omit<PatientHome, 'appointments' | 'surgeries' | 'aftercare' | 'forms' | 'consents' | 'messages'> & {
  appointments: AppointmentData[]
  surgeries: SurgeryData[]
  aftercare: Sent<PatientHome['aftercare'][number], 'startsAt'>[]
  forms: HomeFormData[]
  consents: HomeConsentData[]
  messages: { unread: number; last: LastMessage | null }
}

async function call(name: string, { contactId, token }: Credentials, body: object = {}): Promise<HomeData> {
  const response = await post(name, { contactId, sessionToken: token, ...body })
  return (await response.json()) as HomeData
}

export type InstructionsData = Sent<OwnInstructions, 'startsAt'>

export async function fetchInstructions({ contactId, token }: Credentials, id: string): Promise<InstructionsData> {
  const response = await post('patient-instructions-fetch', { contactId, sessionToken: token, id })
  return (await response.json()) as InstructionsData
}

export const fetchHome = (session: Credentials) => call('patient-home-fetch', session)

export const confirmAppointment = (session: Credentials, { id, startsAt }: AppointmentData) =>
  call('patient-appointment-confirm', session, { id, startsAt })

export const requestAppointment = (session: Credentials, { id, startsAt }: AppointmentData, { words, ...asked }: RescheduleInput) =>
  call('patient-appointment-request', session, { id, startsAt, ...asked, words: words.trim() === '' ? null : words })
