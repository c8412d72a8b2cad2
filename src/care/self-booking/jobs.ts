import { and, eq, inArray, isNull, lt, lte } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { newDigits } from '../../kernel/tokens.ts'
import { handOver } from '../../platform/mail/service.ts'
import { visitTerms } from '../appointments/table.ts'
import { codeMail } from './code-mail.ts'
import { stampCode } from './codes.ts'
import { bookingLimits } from './rules.ts'
import { bookingHolds } from './table.ts'

/** Makes and sends the code that proves an address. Each attempt makes a new one, so that none is stored in the queue. */
export const sendBookingCode = defineJob({
  name: 'self-booking.send-code',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 5,
  async run(scope, { id }, { last }) {
    const code = newDigits(bookingLimits.codeLength)
    const codeExpiresAt = new Date(scope.now().getTime() + bookingLimits.codeMinutes * 60_000)
    const [row] = await scope.db
      .update(bookingHolds)
      .set({ codeHash: stampCode(scope.env, id, code), codeExpiresAt, wrongTries: 0 })
      .where(and(eq(bookingHolds.id, id), eq(bookingHolds.status, 'open')))
      .returning({ booker: bookingHolds.booker })
    if (row?.booker) await handOver(scope, codeMail(scope.env, row.booker, code), { last })
  },
})

/** Frees the time of a booking that was not finished in time. Another time, or the same, can be held until the booking ends. */
export const releaseTime = defineJob({
  name: 'self-booking.release-time',
  payload: z.object({ id: z.uuid() }),
  async run({ db, now }, { id }) {
    await db
      .update(bookingHolds)
      .set({ status: 'open' })
      .where(and(eq(bookingHolds.id, id), eq(bookingHolds.status, 'held'), lte(bookingHolds.heldUntil, now())))
  },
})

/** Ends bookings that were not finished, erases their personal data, and deletes rows a day later. */
export const endBookings = defineJob({
  name: 'self-booking.end',
  payload: z.object({}),
  cron: '*/10 * * * *',
  async run({ db, now }) {
    await db
      .update(bookingHolds)
      .set({ status: 'over', booker: null, codeHash: null })
      .where(and(inArray(bookingHolds.status, ['open', 'held']), lte(bookingHolds.expiresAt, now())))
    const daysAgo = (days: number) => new Date(now().getTime() - days * 86_400_000)
    await db.delete(bookingHolds).where(lt(bookingHolds.expiresAt, daysAgo(1)))
    await db.delete(visitTerms).where(and(isNull(visitTerms.appointmentId), lt(visitTerms.acceptedAt, daysAgo(bookingLimits.termsDays))))
  },
})
