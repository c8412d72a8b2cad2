import { eq } from 'drizzle-orm'
import type { Env } from '../../kernel/env.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { bookingSource } from '../../crm/lead-sources/service.ts'
import type { Mail } from '../../platform/mail/rules.ts'
import { patientMail, queueMail } from '../../platform/mail/service.ts'
import { inLanguage } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { processAtOnce } from '../../crm/leads/service.ts'
import { nameOfProvider } from '../appointments/service.ts'
import { type OfferedVisit, readOffer } from '../availability/service.ts'
import type { SuitableTimes } from '../waiting-list/rules.ts'
import { addEntryWithin, waitingUrl } from '../waiting-list/service.ts'
import { describeWish, timesOfWish, type Wish } from '../waiting-list/wish-rules.ts'
import { fieldsOf, notesOf } from './confirm.ts'
import { problemOfPatient } from './holds.ts'
import { type Booker, bookingHolds } from './table.ts'
import { bookingMailTexts } from './texts.ts'

/** Ends the transaction, so that neither patient nor entry is written. */
class NotPossible extends Error {}

/** Says what the patient waits for, and how a time is offered. */
function waitingMail(env: Env, { email, language }: Booker, { name, nameFr }: OfferedVisit, wish: Wish, url: string): Mail {
  const t = bookingMailTexts[language]
  return patientMail(env, email, language, {
    subject: t('waitingSubject', { practice: env.PRACTICE_NAME }),
    paragraphs: [t('waiting', { visit: inLanguage(language, name, nameFr) }), describeWish(wish, language).join('\n'), t('waitingOffers')],
    link: [{ label: t('leaveList'), url }],
  })
}

/**
 * Puts the patient on the waiting list, found or created as with a booking, once. The time that the booking held is free again. OVER: the booking has
 * ended, or its address is not proved. TOO_MANY_VISITS: the patient has several visits, or waits for several.
 */
export async function joinWaitingList(scope: Scope, { key, ...times }: SuitableTimes & { key: string }) {
  try {
    return await transact(scope.db, async (tx) => {
      const [row] = await tx.select().from(bookingHolds).where(eq(bookingHolds.id, key)).for('update')
      // The response to the first attempt may have been lost.
      if (row?.status === 'booked' && row.appointmentId === null) return true
      // Whom a time was offered waits already.
      if (!row?.booker || !row.provenAt || row.expiresAt <= scope.now() || row.offerId !== null) return refuse('OVER')
      const { booker, visitTypeId, wantedProviderId: providerId } = row
      const type = await readOffer(tx, visitTypeId)
      if (!type) return refuse('NO_VISIT')
      const refused = await problemOfPatient(tx, scope, type, booker.email)
      if (refused) return refused
      const contact = await processAtOnce(tx, scope, await bookingSource(tx), booker.email, fieldsOf(booker))
      const added = await addEntryWithin(
        tx,
        scope,
        contact.id,
        { ...times, visitTypeId, providerId, note: notesOf(booker, contact) },
        ' by the patient',
      )
      if (isRefusal(added)) throw new NotPossible()
      const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
      const wish = { provider: await nameOfProvider(tx, providerId), ...timesOfWish(times, today) }
      await queueMail(tx, waitingMail(scope.env, booker, type, wish, waitingUrl(scope, added.id, booker.language)))
      await tx.update(bookingHolds).set({ status: 'booked', booker: null, codeHash: null }).where(eq(bookingHolds.id, key))
      return true
    })
  } catch (error) {
    if (error instanceof NotPossible) return refuse('TOO_MANY_VISITS')
    throw error
  }
}
