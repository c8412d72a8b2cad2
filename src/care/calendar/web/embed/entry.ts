/** What stands in a calendar: an appointment or a surgery, as far as the calendar needs to know it. Instants are ISO strings. */
export interface Entry {
  id: string
  /** The patient. */
  title: string
  startsAt: string
  endsAt: string
  /** The provider or the surgeon. */
  providerId: string | null
  roomId: string | null
  /** It can be dragged, by anyone who may. */
  isMovable: boolean
  /** Classes of its ground and ink; what is over, or off, steps back. */
  ground: string
}

type Timed = Pick<Entry, 'startsAt' | 'endsAt'>

/** Minutes. */
export const lengthOf = ({ startsAt, endsAt }: Timed): number => Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000)
