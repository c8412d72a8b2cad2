import { type Names, providerName, roomName } from './names.ts'
import { formatTimes } from './times.ts'

/** What is in the way, as the server names it. */
export interface OverlapWords {
  what: 'provider' | 'room' | 'patient'
  by: 'appointment' | 'surgery'
  startsAt: string
  endsAt: string
}

/** Why something was not done with an appointment or a surgery. */
export type Refusal<Data> =
  | { kind: 'overlap'; overlap: OverlapWords }
  | { kind: 'outside-hours' }
  | { kind: 'conflict'; current: Data }
  | { kind: 'fields'; fields: Readonly<Record<string, string>> }
  | { kind: 'message'; message: string }

interface Wanted {
  providerId: string | null
  roomId: string | null
}

/** 'Dr. Okafor has another appointment, 10:00 – 10:45 a.m.', 'Operating room has a surgery, 8:00 – 11:00 a.m.' */
export function formatOverlap(
  { what, by, startsAt, endsAt }: OverlapWords,
  { providerId, roomId }: Wanted,
  names: Names,
  timeZone: string,
): string {
  const times = formatTimes(startsAt, endsAt, timeZone)
  if (what === 'patient') return `The patient has another surgery, ${times}`
  if (what === 'provider')
    return `${providerName(providerId, names) ?? 'The provider'} has ${by === 'surgery' ? 'a surgery' : 'another appointment'}, ${times}`
  return `${roomName(roomId, names) ?? 'The room'} is taken${by === 'surgery' ? ' by a surgery' : ''}, ${times}`
}
