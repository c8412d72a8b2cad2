/** A calendar entry: the common part of an appointment and a surgery. Instants are ISO strings. */
export interface Entry {
  id: string
  /** The patient's name. */
  title: string
  startsAt: string
  endsAt: string
  /** The provider or the surgeon. */
  providerId: string | null
  roomId: string | null
  /** Can be dragged by users with permission. */
  isMovable: boolean
  /** Classes for background and text colour. */
  colors: string
}

type Timed = Pick<Entry, 'startsAt' | 'endsAt'>

/** The duration in minutes. */
export const lengthOf = ({ startsAt, endsAt }: Timed): number => Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000)
