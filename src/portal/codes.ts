import { and, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Env } from '../kernel/env.ts'
import { publish } from '../kernel/events/events.ts'
import { defineJob, enqueue } from '../kernel/jobs.ts'
import { isRefusal, refuse } from '../kernel/refusal.ts'
import { isStamped, stamp } from '../kernel/seal.ts'
import { newDigits } from '../kernel/tokens.ts'
import { rateLimitKey } from '../kernel/http/requests.ts'
import type { Scope } from '../kernel/scope.ts'
import type { Attempts } from '../platform/auth/service.ts'
import { recordChange } from '../platform/audit/service.ts'
import { contactsByEmail } from '../crm/contacts/service.ts'
import { contacts } from '../crm/contacts/table.ts'
import { type Language, languages, toLanguage } from '../shared/translations.ts'
import { addInteraction } from '../crm/interactions/service.ts'
import { textIfPreferred } from '../messages/inbox/service.ts'
import { handOver } from '../platform/mail/service.ts'
import type { Mail } from '../platform/mail/rules.ts'
import { type CodeTarget, codeTarget } from './contract.ts'
import { codeMail, sharedAddressMail } from './emails.ts'
import { codeLength, codeSeconds, maxWrongTries, sessionLimit } from './rules.ts'
import { beginSession } from './sessions.ts'
import { portalEmailTexts } from './texts.ts'
import { portalCodes, portalSessions } from './table.ts'
import { tabletSessions } from './tablet/table.ts'

// A code is short enough to guess, so its stored hash is keyed with the installation's secret and bound to the email address.
const purpose = 'portal code'
const stampCode = (env: Env, email: string, code: string): string => stamp(env, purpose, `${email}\0${code}`)
export const matchesCode = (env: Env, email: string, code: string, stored: string): boolean =>
  isStamped(env, purpose, `${email}\0${code}`, stored)

/**
 * Requests a code. Every address is counted and queued the same way, so that neither the response nor its timing reveals whether a patient
 * has that address.
 */
export async function requestCode(
  scope: Scope,
  attempts: Attempts,
  { email, opens, language }: { email: string; opens: CodeTarget | null; language: Language | null },
) {
  // Checked first, so that a network address over its limit does not use up the limits of other people's email addresses.
  if (!(await attempts.consume('portalCodeAddress', rateLimitKey(scope.origin.address)))) return refuse('TOO_MANY_REQUESTS')
  const within = await Promise.all([attempts.consume('portalCode', email), attempts.consume('portalCodeDay', email)])
  if (within.includes(false)) return refuse('TOO_MANY_REQUESTS')
  await enqueue(scope.db, sendCode, { email, opens, language })
  return true
}

/** In the stored text message: staff who read the conversation must not see the code. */
const hiddenCode = '******'

/**
 * Creates and sends a code if exactly one patient has that address: by text to a patient who prefers it, otherwise by email. Each attempt creates a new code, so that none is stored in the queue.
 */
export const sendCode = defineJob({
  name: 'portal.send-code',
  payload: z.object({
    email: z.string(),
    opens: codeTarget.nullable().default(null),
    language: z.enum(languages).nullable().default(null),
  }),
  maxAttempts: 5,
  async run(scope, { email, opens, language: ofPage }) {
    const found = await contactsByEmail(scope.db, email)
    if (found.length === 0) return
    const preferredLanguage = (await languageOf(scope, found)) ?? ofPage
    const language = preferredLanguage ?? 'en'
    // A shared address cannot identify one of the patients.
    if (found.length > 1) return sendOrLog(scope, found, sharedAddressMail(scope.env, email, language))
    const code = newDigits(codeLength)
    const now = scope.now()
    const [contact] = found
    await scope.db.insert(portalCodes).values({
      email,
      codeHash: stampCode(scope.env, email, code),
      contactId: contact!.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + codeSeconds * 1000),
    })
    const isTexted = await textIfPreferred(scope, {
      contactId: contact!.id,
      text: (theirs) =>
        portalEmailTexts[theirs]('codeText', { code: hiddenCode, practice: scope.env.PRACTICE_NAME, minutes: codeSeconds / 60 }),
      secret: { standsFor: hiddenCode, value: code },
    })
    if (!isTexted) await sendOrLog(scope, found, codeMail(scope.env, { email, code, preferredLanguage, opens }))
  },
})

/** The preferred language of these patients; null if they have none or differ. */
async function languageOf({ db }: Scope, found: readonly { id: string }[]): Promise<Language | null> {
  const ids = found.map(({ id }) => id)
  const rows = await db.selectDistinct({ language: contacts.preferredLanguage }).from(contacts).where(inArray(contacts.id, ids))
  return rows.length === 1 ? toLanguage(rows[0]!.language) : null
}

/** Sends an email, or records on the timelines why not, for staff who get a call: the page shows everyone the same message. */
async function sendOrLog(scope: Scope, found: readonly { id: string }[], mail: Mail): Promise<void> {
  const problem = await handOver(scope, mail)
  if (!problem) return
  await scope.db.transaction(async (tx) => {
    for (const { id: contactId } of found) {
      const description = `A code for the portal could not be emailed to ${mail.to}: ${problem}`
      await addInteraction(tx, scope, { contactId, type: 'email', description })
      await publish(tx, 'contact', contactId)
    }
  })
}

/** Exchanges a code for a session. INVALID_CODE: wrong, expired, used or tried too often, without saying which. */
export async function verifyCode(scope: Scope, attempts: Attempts, email: string, code: string) {
  if (!(await attempts.consume('portalVerifyAddress', rateLimitKey(scope.origin.address)))) return refuse('TOO_MANY_REQUESTS')
  const verified = await checkCode(scope, email, code)
  // A patient may go on to the next link: only codes that were never used count towards the limits.
  if (!isRefusal(verified)) await Promise.all([attempts.forgive('portalCode', email), attempts.forgive('portalCodeDay', email)])
  return verified
}

const checkCode = (scope: Scope, email: string, code: string) =>
  scope.db.transaction(async (tx) => {
    // The latest code, locked so that simultaneous guesses are counted one by one.
    const [last] = await tx
      .select()
      .from(portalCodes)
      .where(and(eq(portalCodes.email, email), gt(portalCodes.expiresAt, scope.now())))
      .orderBy(desc(portalCodes.createdAt), desc(portalCodes.id))
      .limit(1)
      .for('update')
    if (!last || last.usedAt !== null || last.wrongTries >= maxWrongTries) return refuse('INVALID_CODE')
    if (!matchesCode(scope.env, email, code, last.codeHash)) {
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

/** Deletes codes and sessions a day after they have ended, those of tablets a day after they were opened. */
export const purgePortal = defineJob({
  name: 'portal.purge',
  payload: z.object({}),
  cron: '41 * * * *',
  async run({ db, now }) {
    const before = new Date(now().getTime() - 24 * sessionLimit)
    await db.delete(portalCodes).where(lt(portalCodes.createdAt, before))
    await db.delete(portalSessions).where(and(lt(portalSessions.createdAt, before), isNull(portalSessions.endedAt)))
    await db.delete(portalSessions).where(lt(portalSessions.endedAt, before))
    await db.delete(tabletSessions).where(lt(tabletSessions.openedAt, before))
  },
})
