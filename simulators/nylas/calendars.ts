/** Calendars, of which only the busy times can be asked for. */
import { z } from 'zod'
import { type Call, parseJson } from '../http.ts'
import { invalid } from './errors.ts'

/** In seconds since 1970, as in Nylas. */
export type BusySlot = { start_time: number; end_time: number }
/** By address; an address without an entry has no calendar. */
export type Calendars = Map<string, BusySlot[]>

const freeBusyRequest = z.looseObject({ start_time: z.int(), end_time: z.int(), emails: z.array(z.string()).min(1).max(50) })
/** Microsoft refuses longer ranges. */
const maxDays = 62

/** The busy times of the addresses that overlap the range. An address without a calendar has an error of its own. */
export function freeBusy(call: Call, calendars: Calendars) {
  const read = freeBusyRequest.safeParse(parseJson(call.body))
  if (!read.success) throw invalid(`Invalid ${String(read.error.issues[0]?.path[0] ?? 'body')}`)
  const { start_time: from, end_time: to, emails } = read.data
  if (to <= from || to - from > maxDays * 86_400) throw invalid('The requested time range is not valid.')
  return emails.map((email) => {
    const busy = calendars.get(email.toLowerCase())
    if (!busy) return { email, object: 'error', error: 'The calendar of this address could not be found.' }
    const overlapping = busy.filter(({ start_time, end_time }) => start_time < to && end_time > from)
    return { email, object: 'free_busy', time_slots: overlapping.map((slot) => ({ ...slot, status: 'busy', object: 'time_slot' })) }
  })
}
