import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { publish } from '../kernel/events/events.ts'
import { defineJob, enqueue } from '../kernel/jobs.ts'
import { refuse } from '../kernel/refusal.ts'
import { countedAs } from '../kernel/http/requests.ts'
import type { Scope } from '../kernel/scope.ts'
import type { Attempts } from '../platform/auth/service.ts'
import { recordChange } from '../platform/audit/service.ts'
import { contactsByEmail } from '../crm/contacts/service.ts'
import { addInteraction } from '../crm/interactions/service.ts'
import { handOver } from '../platform/mail/service.ts'
import type { Mail } from '../platform/mail/rules.ts'
import { codeMail, sharedAddressMail } from './mails.ts'
import { codeSeconds, maxWrongTries, sessionLimit } from './rules.ts'
import { hashCode, isSame, newCode } from './secrets.ts'
import { beginSession } from './sessions.ts'
import { portalCodes, portalSessions } from './table.ts'

/**
 * Asks for a code to be sent. For every address the same is counted and the same job is queued, so that neither the answer nor its time tells
 * whether a patient has that address.
 */
export async function requestCode(scope: Scope, attempts: Attempts, email: string) {
  // Anyone who asks too much spends no one else's codes.
  if (!(await attempts.consume('portalCodeAddress', countedAs(scope.origin.address)))) return refuse('TOO_MANY_REQUESTS')
  const within = await Promise.all([attempts.consume('portalCode', email), attempts.consume('portalCodeDay', email)])
  if (within.includes(false)) return refuse('TOO_MANY_REQUESTS')
  await enqueue(scope.db, sendCode, { email })
  return true
}

/** Makes a code and sends it, if one patient has that address. Each try makes a code of its own, so that none lies in the queue. */
export const sendCode = defineJob({
  name: 'portal.send-code',
  payload: z.object({ email: z.string() }),
  maxAttempts: 5,
  async run(scope, { email }) {
    const found = await contactsByEmail(scope.db, email)
    if (found.length === 0) return
    // An address that several patients share proves none of them.
    if (found.length > 1) return handOverTo(scope, found, sharedAddressMail(scope.env, email))
    const code = newCode()
    const now = scope.now()
    const [contact] = found
    await scope.db.insert(portalCodes).values({
      email,
      codeHash: hashCode(scope.env, email, code),
      contactId: contact!.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + codeSeconds * 1000),
    })
    await handOverTo(scope, found, codeMail(scope.env, email, code))
  },
})

/** What was not taken stands on the timelines, for anyone who answers the patient's call: the page tells everyone the same. */
async function handOverTo(scope: Scope, found: readonly { id: string }[], letter: Mail): Promise<void> {
  const problem = await handOver(scope, letter)
  if (!problem) return
  await scope.db.transaction(async (tx) => {
    for (const { id: contactId } of found) {
      const description = `A code for the portal could not be emailed to ${letter.to}: ${problem}`
      await addInteraction(tx, scope, { contactId, type: 'email', description })
      await publish(tx, 'contact', contactId)
    }
  })
}

/** Exchanges a code for a session. INVALID_CODE: it is wrong, outdated, used or was tried too often; which of them is not said. */
export async function verifyCode(scope: Scope, attempts: Attempts, email: string, code: string) {
  if (!(await attempts.consume('portalVerifyAddress', countedAs(scope.origin.address)))) return refuse('TOO_MANY_REQUESTS')
  const hash = hashCode(scope.env, email, code)
  return scope.db.transaction(async (tx) => {
    // The last one that was sent; guesses at the same moment wait for one another.
    const [last] = await tx
      .select()
      .from(portalCodes)
      .where(and(eq(portalCodes.email, email), gt(portalCodes.expiresAt, scope.now())))
      .orderBy(desc(portalCodes.createdAt), desc(portalCodes.id))
      .limit(1)
      .for('update')
    if (!last || last.usedAt !== null || last.wrongTries >= maxWrongTries) return refuse('INVALID_CODE')
    if (!isSame(last.codeHash, hash)) {
      await tx
        .update(portalCodes)
        .set({ wrongTries: sql`${portalCodes.wrongTries} + 1` })
        .where(eq(portalCodes.id, last.id))
      return refuse('INVALID_CODE')
    }
    await tx.update(portalCodes).set({ usedAt: scope.now() }).where(eq(portalCodes.id, last.id))
    const { token } = await beginSession(tx, scope, last.contactId)
    await recordChange(tx, { ...scope, patient: undefined }, { action: 'created', kind: 'portal-session', contactIds: [last.contactId] })
    return { token }
  })
}

/** Codes and sessions that are over for a day are of no use to anyone. */
export const purgePortal = defineJob({
  name: 'portal.forget',
  payload: z.object({}),
  cron: '41 * * * *',
  async run({ db, now }) {
    const before = new Date(now().getTime() - 24 * sessionLimit)
    await db.delete(portalCodes).where(lt(portalCodes.createdAt, before))
    await db.delete(portalSessions).where(and(lt(portalSessions.createdAt, before), isNull(portalSessions.endedAt)))
    await db.delete(portalSessions).where(lt(portalSessions.endedAt, before))
  },
})
