import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { asSentence } from '../../../../shared/sentence.ts'
import { type Client, messageOf, statusOf } from '../../../../ui/client/api.ts'
import { type Names, providerName, roomName } from './names.ts'
import { formatTimes } from './times.ts'

/** An overlapping booking, as the API returns it. */
export interface Overlap {
  what: 'provider' | 'second' | 'room' | 'equipment' | 'patient'
  by: 'appointment' | 'surgery' | 'booking'
  startsAt: string
  endsAt: string
}

/** Why an action on an appointment or a surgery was refused. */
export type Refusal<Data> =
  | { kind: 'overlap'; overlap: Overlap }
  | { kind: 'outside-hours' }
  | { kind: 'conflict'; current: Data }
  | { kind: 'fields'; fields: Readonly<Record<string, string>> }
  | { kind: 'message'; message: string }

type Errors = InferClientErrors<Client>
type ErrorOf<Group extends 'appointments' | 'surgeries'> = Errors[Group][keyof Errors[Group]]

/** The refusal in an error from a call for an appointment, a surgery or its checklist. */
export function refusalOf<Data>(thrown: unknown, noun: 'appointment' | 'surgery'): Refusal<Data> {
  const error = thrown as ErrorOf<'appointments'> | ErrorOf<'surgeries'>
  if (isDefinedError(error)) {
    switch (error.code) {
      case 'OVERLAP':
        return { kind: 'overlap', overlap: error.data }
      case 'OUTSIDE_HOURS':
        return { kind: 'outside-hours' }
      case 'CONFLICT':
        return { kind: 'conflict', current: error.data.current as Data }
      case 'INVALID_REFERENCE':
        return { kind: 'fields', fields: error.data.fields }
      case 'KEY_REUSED':
        return {
          kind: 'message',
          message: `Your first attempt already booked this ${noun}. Close this form and edit that ${noun} instead.`,
        }
      case 'AUTOMATIC':
        return { kind: 'message', message: asSentence(error.data.reason) }
      default:
        return { kind: 'message', message: asSentence(error.message) }
    }
  }
  if (statusOf(thrown) === 0) return { kind: 'message', message: 'The connection was lost. It is safe to try again.' }
  return { kind: 'message', message: messageOf(thrown) }
}

interface Wanted {
  providerId: string | null
  roomId: string | null
}

/** 'Dr. Okafor has another appointment, 10:00 – 10:45 a.m.', 'Operating room is booked for a surgery, 8:00 – 11:00 a.m.' */
export function formatOverlap(
  { what, by, startsAt, endsAt }: Overlap,
  { providerId, roomId }: Wanted,
  names: Names,
  timeZone: string,
): string {
  const times = formatTimes(startsAt, endsAt, timeZone)
  if (by === 'booking') return `A patient is booking this time online, ${times}. It is free again in a few minutes if they do not finish`
  if (what === 'second') return `The second person has ${by === 'surgery' ? 'a surgery' : 'another appointment'}, ${times}`
  if (what === 'equipment') return 'No equipment that this visit needs is free then'
  if (what === 'patient') return `The patient has another surgery, ${times}`
  if (what === 'provider')
    return `${providerName(providerId, names) ?? 'The provider'} has ${by === 'surgery' ? 'a surgery' : 'another appointment'}, ${times}`
  return `${roomName(roomId, names) ?? 'The room'} is booked${by === 'surgery' ? ' for a surgery' : ''}, ${times}`
}

/** A refusal as text; undefined if the page handles it. */
export function formatRefusal(refusal: Refusal<unknown>, wanted: Wanted, names: Names, timeZone: string): string | undefined {
  switch (refusal.kind) {
    case 'overlap':
      return asSentence(formatOverlap(refusal.overlap, wanted, names, timeZone))
    case 'fields':
      return asSentence(Object.values(refusal.fields).join('. '))
    case 'message':
      return refusal.message
    case 'conflict':
    case 'outside-hours':
      return undefined
  }
}
