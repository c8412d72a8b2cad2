import { failure } from '../failure.ts'
import type { Result } from '../mailbox.ts'
import { ask, nylasClient } from './client.ts'
import { unreadable } from './failure.ts'
import type { NylasOptions } from './nylas.ts'
import { freeBusy } from './shapes.ts'

/** Beginning and end, in milliseconds since 1970. */
export type BusyTime = [number, number]

/** For one request: Microsoft refuses more than 62 days. */
const window = 60 * 86_400_000

/** When the calendar of a mailbox is busy, nothing else about it. `refused`: the grant has no access to the calendar. */
export async function readBusyTimes(
  { grantId: identifier, email, ...account }: NylasOptions & { email: string },
  { from, to }: { from: number; to: number },
): Promise<Result<BusyTime[]>> {
  const nylas = nylasClient(account)
  const busy: BusyTime[] = []
  for (let start = from; start < to; start += window) {
    const requestBody = { startTime: Math.floor(start / 1_000), endTime: Math.ceil(Math.min(start + window, to) / 1_000), emails: [email] }
    const result = await ask(() => nylas.calendars.getFreeBusy({ identifier, requestBody }), freeBusy, account)
    if (!result.ok) return result
    if (result.value.data.length === 0) return unreadable(false)
    for (const one of result.value.data) {
      if ('error' in one) return failure('refused', one.error)
      busy.push(...one.timeSlots.filter(({ status }) => status !== 'free').map(({ startTime, endTime }) => spanOf(startTime, endTime)))
    }
  }
  return { ok: true, value: busy }
}

const spanOf = (startTime: number, endTime: number): BusyTime => [startTime * 1_000, endTime * 1_000]
