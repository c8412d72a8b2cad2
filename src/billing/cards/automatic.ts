import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm'
import { z } from 'zod'
import { centsToText } from '../../shared/money.ts'
import { formatCents, formatLongDay, type Language, toLanguage } from '../../shared/translations.ts'
import { dayAt, daysLater } from '../../shared/zoned-time.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { lockContact } from '../../care/reservations/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { addTask, assigneesFor } from '../../crm/tasks/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { patientMail, portalLink, queueMail } from '../../platform/mail/service.ts'
import { owedByContacts } from '../collections/service.ts'
import { takesCards } from './account.ts'
import { chargesInInstalments, isAutomatic } from './automatic-consent.ts'
import { firstChargeOn, nextAttemptOn, noticeDays } from './automatic-rules.ts'
import { chargeSavedCard } from './off-session.ts'
import { latestCard } from './saved.ts'
import { payPath, unbookedCents } from './pay-links.ts'
import { cardLimits } from './rules.ts'
import { automaticPayments, cardPayments, instalmentCharges } from './table.ts'
import { cardTexts } from './texts.ts'

type Instalment = typeof instalmentCharges.$inferSelect

/** How long the link in an email about a declined instalment works, in milliseconds. */
const payLinkMs = 14 * 86_400_000

/**
 * Tells patients of the instalments that will be charged in the next days, and queues those that are due, for patients who agreed to it. Runs several times a
 * day, for what was under way the last time; each instalment is announced and charged once for each attempt.
 */
export const chargeInstalments = defineJob({
  name: 'cards.charge-instalments',
  payload: z.object({}),
  cron: '10 14,16,18,20,22 * * *',
  after: 'people',
  async run(scope) {
    if (!takesCards(scope.env)) return
    const { db } = scope
    const patients = await db
      .selectDistinct({ contactId: automaticPayments.contactId })
      .from(automaticPayments)
      .where(isNull(automaticPayments.endedAt))
      .orderBy(asc(automaticPayments.contactId))
    for (const { contactId } of patients) await scope.db.transaction((tx) => announce(tx, scope, contactId))
    await followProcessing(scope)
    const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
    const due = and(inArray(instalmentCharges.status, ['announced', 'charging']), lte(instalmentCharges.chargeOn, today))
    const rows = await db.select({ id: instalmentCharges.id }).from(instalmentCharges).where(due).orderBy(asc(instalmentCharges.dueOn))
    for (const { id } of rows) await enqueue(db, chargeInstalment, { id }, `instalment ${id}`)
  },
})

/** The open instalments of a patient's charges, due by a day, with what is open of each in cents. */
async function openInstalments(tx: Db, scope: Scope, contactId: string, by: string) {
  const portions = (await owedByContacts(tx, scope.env, [contactId])).get(contactId)?.portions ?? []
  const ids = await chargesInInstalments(tx, contactId)
  return portions.filter(({ chargeId, dueOn }) => ids.has(chargeId) && dueOn <= by)
}

/** Tells the patient, once for each instalment, what will be charged when. Instalments that were due before the consent are the patient's to pay. */
async function announce(tx: Db, scope: Scope, contactId: string): Promise<void> {
  await lockContact(tx, contactId)
  const zone = scope.env.PRACTICE_TIME_ZONE
  const [consent] = await tx
    .select({ consentedAt: automaticPayments.consentedAt })
    .from(automaticPayments)
    .where(and(eq(automaticPayments.contactId, contactId), isNull(automaticPayments.endedAt)))
  const card = await latestCard(tx, contactId)
  // What was paid a moment ago is in the ledger soon, and would be announced until then.
  if (!consent || !card || (await unbookedCents(tx, contactId)) > 0) return
  const today = dayAt(scope.now(), zone)
  const since = dayAt(consent.consentedAt, zone)
  for (const { chargeId, dueOn, openCents } of await openInstalments(tx, scope, contactId, daysLater(today, noticeDays))) {
    if (dueOn < since || openCents < cardLimits.minCents) continue
    const chargeOn = firstChargeOn(dueOn, today)
    const now = scope.now()
    const [row] = await tx
      .insert(instalmentCharges)
      .values({
        contactId,
        chargeId,
        dueOn,
        attempt: 1,
        amountCents: openCents,
        status: 'announced',
        chargeOn,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning()
    if (!row) continue
    await recordChange(tx, scope, { action: 'created', kind: 'automatic payment', contactIds: [contactId], after: auditOf(row) })
    await notify(tx, scope, contactId, (t, language) => ({
      subject: t('announceSubject', { practice: scope.env.PRACTICE_NAME }),
      paragraphs: [
        t('announce', { amount: formatCents(openCents, language), day: formatLongDay(chargeOn, language), last4: card.last4 }),
        t('announceHowTo'),
      ],
      path: null,
    }))
  }
}

const auditOf = ({ id, chargeId, dueOn, attempt, amountCents, status }: Instalment) => ({
  id,
  chargeId,
  dueOn,
  attempt,
  amountCents,
  status,
})

type Text = (typeof cardTexts)['en']
type Letter = { subject: string; paragraphs: string[]; /** Of the payment page; null: the portal. */ path: string | null }

/** Emails the patient in their language. Without an address nothing is sent. */
async function notify(tx: Db, scope: Scope, contactId: string, write: (t: Text, language: Language) => Letter): Promise<void> {
  const { email, preferredLanguage } = contacts
  const [contact] = await tx.select({ email, preferredLanguage }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact?.email) return
  const language: Language = toLanguage(contact.preferredLanguage) ?? 'en'
  const t = cardTexts[language]
  const { subject, paragraphs, path } = write(t, language)
  const link = path === null ? portalLink(scope.env, contact.email, language) : { label: t('payNow'), url: `${scope.env.APP_URL}${path}` }
  await queueMail(tx, patientMail(scope.env, contact.email, language, { subject, paragraphs, link }))
}

/** Charges one instalment. Throws, and so is retried with the same key, while Stripe does not answer. */
export const chargeInstalment = defineJob({
  name: 'cards.charge-instalment',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 25,
  async run(scope, { id }) {
    const row = await claim(scope, id)
    if (!row) return
    const amountCents = row.chargedCents!
    const charged = await chargeSavedCard(scope, {
      contactId: row.contactId,
      amountCents,
      purpose: 'charge',
      referenceId: id,
      chargeId: row.chargeId,
      description: cardTexts.en('instalment'),
      idempotencyKey: id,
    })
    if (!isRefusal(charged)) return finish(scope, id, { ...charged, paymentId: charged.paymentId })
    if (charged.refusal === 'NO_CARD') return finish(scope, id, { paymentId: null, status: 'declined', failureCode: 'no_card' })
    throw new Error(`An instalment could not be charged: ${charged.refusal}`)
  },
})

/** Decides once what is charged: what is open now, and at most what was announced. Null: nothing, or another run did it. */
async function claim(scope: Scope, id: string): Promise<Instalment | null> {
  return scope.db.transaction(async (tx) => {
    const [seen] = await tx.select({ contactId: instalmentCharges.contactId }).from(instalmentCharges).where(eq(instalmentCharges.id, id))
    if (!seen) return null
    await lockContact(tx, seen.contactId)
    const [row] = await tx.select().from(instalmentCharges).where(eq(instalmentCharges.id, id)).for('update')
    if (row?.status === 'charging') return row
    if (row?.status !== 'announced') return null
    // What was paid a moment ago is in the ledger soon: the next run looks again.
    if ((await unbookedCents(tx, row.contactId)) > 0) return null
    const open = (await openInstalments(tx, scope, row.contactId, row.dueOn)).find(
      (one) => one.chargeId === row.chargeId && one.dueOn === row.dueOn,
    )
    const chargedCents = Math.min(open?.openCents ?? 0, row.amountCents)
    const isOver = chargedCents < cardLimits.minCents || !(await isAutomatic(tx, row.contactId))
    const set = isOver ? ({ status: 'skipped' } as const) : ({ status: 'charging', chargedCents } as const)
    const [claimed] = await tx
      .update(instalmentCharges)
      .set({ ...set, updatedAt: scope.now() })
      .where(eq(instalmentCharges.id, id))
      .returning()
    return isOver ? null : claimed!
  })
}

interface Outcome {
  paymentId: string | null
  status: 'paid' | 'processing' | 'declined'
  failureCode: string | null
}

/** Records what became of an instalment. A declined one is announced for the next attempt, or becomes a task. */
async function finish(scope: Scope, id: string, { paymentId, status, failureCode }: Outcome): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const [seen] = await tx.select({ contactId: instalmentCharges.contactId }).from(instalmentCharges).where(eq(instalmentCharges.id, id))
    if (seen) await lockContact(tx, seen.contactId)
    const isUnderWay = and(eq(instalmentCharges.id, id), inArray(instalmentCharges.status, ['charging', 'processing']))
    const [before] = await tx.select().from(instalmentCharges).where(isUnderWay).for('update')
    if (!before || before.status === status) return
    const [row] = await tx
      .update(instalmentCharges)
      .set({ status, failureCode, paymentId, updatedAt: scope.now() })
      .where(isUnderWay)
      .returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'automatic payment',
      contactIds: [row!.contactId],
      before: { id, status: before.status },
      after: { id, status, failureCode },
    })
    if (status === 'declined') await afterDecline(tx, scope, row!, failureCode ?? 'unknown')
    await publish(tx, 'contact', row!.contactId)
  })
}

async function afterDecline(tx: Db, scope: Scope, row: Instalment, failureCode: string): Promise<void> {
  const { contactId, chargeId, dueOn, attempt } = row
  const chargedCents = row.chargedCents ?? row.amountCents
  const firstOn = await firstAttemptOn(tx, row)
  const nextOn = nextAttemptOn({ attempt, failureCode, firstOn })
  const now = scope.now()
  if (nextOn !== null) {
    const next = {
      contactId,
      chargeId,
      dueOn,
      attempt: attempt + 1,
      amountCents: row.amountCents,
      status: 'announced' as const,
      chargeOn: nextOn,
    }
    await tx
      .insert(instalmentCharges)
      .values({ ...next, createdAt: now, updatedAt: now })
      .onConflictDoNothing()
  }
  const amount = `$${centsToText(chargedCents)}`
  const reason = failureCode.replaceAll('_', ' ')
  const then = nextOn === null ? 'It is not charged again.' : `It is charged again on ${nextOn}.`
  await addInteraction(tx, scope, {
    contactId,
    type: 'quickbooks',
    description: `Automatic payment of ${amount}, due ${dueOn}, was declined: ${reason}. ${then}`,
  })
  await notify(tx, scope, contactId, (t, language) => ({
    subject: t('declinedSubject', { practice: scope.env.PRACTICE_NAME }),
    paragraphs: [
      t('declined', { amount: formatCents(chargedCents, language), day: formatLongDay(dueOn, language) }),
      nextOn === null ? t('declinedLast') : t('declinedNext', { day: formatLongDay(nextOn, language) }),
    ],
    path: payPath(scope, { kind: 'balance', id: contactId }, payLinkMs),
  }))
  if (nextOn === null) await addDeclinedTask(tx, scope, { contactId, amount, dueOn, reason })
}

/** The day on which the first attempt was charged. */
async function firstAttemptOn(tx: Db, { chargeId, dueOn }: Instalment): Promise<string> {
  const isFirst = and(eq(instalmentCharges.chargeId, chargeId), eq(instalmentCharges.dueOn, dueOn), eq(instalmentCharges.attempt, 1))
  const [first] = await tx.select({ chargeOn: instalmentCharges.chargeOn }).from(instalmentCharges).where(isFirst)
  return first!.chargeOn
}

async function addDeclinedTask(
  tx: Db,
  scope: Scope,
  { contactId, amount, dueOn, reason }: { contactId: string; amount: string; dueOn: string; reason: string },
): Promise<void> {
  await addTask(tx, scope, {
    // The title is sent by email, so it doesn't name the patient.
    title: 'An automatic payment was declined: call the patient',
    description: `${amount}, due ${dueOn}: ${reason}. It is not charged again. The patient got an email with a link to pay.`,
    type: 'Follow-up',
    dueDate: dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE),
    contactId,
    people: await assigneesFor(tx, [], 'billing'),
  })
}

/** What became of instalments that the bank had not answered for. */
async function followProcessing(scope: Scope): Promise<void> {
  const rows = await scope.db
    .select({ id: instalmentCharges.id, paymentId: cardPayments.id, status: cardPayments.status, failureCode: cardPayments.failureCode })
    .from(instalmentCharges)
    .innerJoin(cardPayments, eq(cardPayments.id, instalmentCharges.paymentId))
    .where(and(eq(instalmentCharges.status, 'processing'), inArray(cardPayments.status, ['paid', 'open', 'cancelled'])))
  for (const { id, paymentId, status, failureCode } of rows) {
    await finish(scope, id, { paymentId, status: status === 'paid' ? 'paid' : 'declined', failureCode })
  }
}
