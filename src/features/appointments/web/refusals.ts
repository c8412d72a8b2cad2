import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { type Client, messageOf, statusOf } from '../../../web/api.ts'
import type { AppointmentData } from './appointment-data.ts'
import { type Names, providerName, roomName, timesInWords } from './words.ts'

type Errors = InferClientErrors<Client>['appointments']
type Overlap = { what: 'provider' | 'room'; by: 'appointment' | 'surgery'; startsAt: string; endsAt: string }

/** Why something was not done with an appointment. */
export type Refusal =
  | { kind: 'overlap'; overlap: Overlap }
  | { kind: 'outside-hours' }
  | { kind: 'conflict'; current: AppointmentData }
  | { kind: 'fields'; fields: Readonly<Record<string, string>> }
  | { kind: 'message'; message: string }

export function refusalOf(thrown: unknown): Refusal {
  const error = thrown as Errors[keyof Errors]
  if (isDefinedError(error)) {
    switch (error.code) {
      case 'OVERLAP':
        return { kind: 'overlap', overlap: error.data }
      case 'OUTSIDE_HOURS':
        return { kind: 'outside-hours' }
      case 'CONFLICT':
        return { kind: 'conflict', current: error.data.current }
      case 'INVALID_REFERENCE':
        return { kind: 'fields', fields: error.data.fields }
      case 'KEY_REUSED':
        return { kind: 'message', message: 'It was booked already, as you sent it first. Close this, and change that appointment.' }
      case 'NOT_FOUND':
      case 'NOT_HOLDING':
      case 'NOT_POSSIBLE':
        return { kind: 'message', message: error.message }
    }
  }
  if (statusOf(thrown) === 0) return { kind: 'message', message: 'The connection was lost. It is safe to try again.' }
  return { kind: 'message', message: messageOf(thrown) }
}

interface Wanted {
  providerId: string | null
  roomId: string | null
}

/** 'Dr. Okafor has another appointment, 10:00 – 10:45 a.m.', or a surgery. */
export function overlapInWords(
  { what, by, startsAt, endsAt }: Overlap,
  { providerId, roomId }: Wanted,
  names: Names,
  timeZone: string,
): string {
  const times = timesInWords(startsAt, endsAt, timeZone)
  if (what === 'provider')
    return `${providerName(providerId, names) ?? 'The provider'} has ${by === 'surgery' ? 'a surgery' : 'another appointment'}, ${times}`
  return `${roomName(roomId, names) ?? 'The room'} is taken, ${times}`
}
