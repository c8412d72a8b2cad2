import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { daysLater, dayAt } from '../../shared/zoned-time.ts'
import { toLanguage } from '../../shared/translations.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addTask } from '../../crm/tasks/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { handOver, patientMail, portalLink } from '../../platform/mail/service.ts'
import type { Recall, Started } from './contract.ts'
import { affectedBy, recallsOf, valuesOf } from './match.ts'
import { getRecall, postalAddress } from './read.ts'
import type { AttemptState } from './rules.ts'
import { recallTexts } from './texts.ts'
import { recallAttempts, recallPatients, recalls } from './table.ts'

/** Patients of one transaction of the job. */
const batchSize = 200

/** Starts a recall: lists the patients who have such an implant now, each once, and queues their letters and emails. */
export const startRecall = (scope: Scope, given: Started): Promise<Recall> =>
  scope.db.transaction(async (tx) => {
    const [recall] = await tx
      .insert(recalls)
      .values({ ...given, createdBy: staff(scope).id, createdAt: scope.now() })
      .returning()
    const { rows } = await tx.execute<{ contact_id: string }>(sql`
      insert into recall_patients (recall_id, contact_id, key)
      select ${recall!.id}, contact_id, ${recall!.id}::text || ':' || contact_id from (${affectedBy(valuesOf(given))}) as affected
      returning contact_id`)
    await recordChange(tx, scope, {
      action: 'created',
      kind: 'recall',
      contactIds: rows.map(({ contact_id: id }) => id),
      after: { id: recall!.id, ...given, patients: rows.length },
    })
    await enqueue(tx, prepareRecall, { id: recall!.id }, `recall-${recall!.id}`)
    await publish(tx, 'recall', recall!.id)
    return (await getRecall(tx, recall!.id))!
  })

/**
 * Makes the letter of each patient, then queues the email of those with an address, 200 patients in a transaction. A killed run goes on with those
 * who have none yet, and the unique index keeps each patient at one letter and one email.
 */
export const prepareRecall = defineJob({
  name: 'recalls.prepare',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 25,
  async run(scope, { id }) {
    while ((await prepareBatch(scope, id, 'letter')) > 0);
    while ((await prepareBatch(scope, id, 'email')) > 0);
    await scope.db.update(recalls).set({ isPrepared: true }).where(eq(recalls.id, id))
    await publish(scope.db, 'recall', id)
  },
})

async function prepareBatch(scope: Scope, recallId: string, channel: 'letter' | 'email'): Promise<number> {
  return scope.db.transaction(async (tx) => {
    const isMade = and(eq(recallAttempts.recallPatientId, recallPatients.id), eq(recallAttempts.channel, channel))
    const isReached = channel === 'email' ? isNotNull(contacts.email) : undefined
    const rows = await tx
      .select({ id: recallPatients.id, contact: contacts, address: postalAddress })
      .from(recallPatients)
      .innerJoin(contacts, eq(contacts.id, recallPatients.contactId))
      .leftJoin(recallAttempts, isMade)
      .where(and(eq(recallPatients.recallId, recallId), isNull(recallAttempts.id), isReached))
      .limit(batchSize)
      .for('no key update', { of: recallPatients })
    if (rows.length === 0) return 0
    const state = channel === 'letter' ? 'made' : 'queued'
    const made = rows.map(({ id: recallPatientId, contact: { preferredLanguage, email }, address }) => ({
      recallPatientId,
      channel,
      state: state as AttemptState,
      language: toLanguage(preferredLanguage) ?? 'en',
      address: channel === 'email' ? email : address,
      at: scope.now(),
    }))
    const stored = await tx.insert(recallAttempts).values(made).onConflictDoNothing().returning({ id: recallAttempts.id })
    if (channel === 'email') for (const { id } of stored) await enqueue(tx, sendRecallEmail, { id })
    else for (const { id, contact } of rows) if (!contact.email) await addCall(tx, scope, id)
    return rows.length
  })
}

/** A recall that began while a piece was open also reaches the patient in whom it is placed after all. */
export async function joinRecalls(tx: Db, piece: Parameters<typeof recallsOf>[1], contactId: string): Promise<void> {
  for (const recallId of await recallsOf(tx, piece)) {
    const joined = await tx
      .insert(recallPatients)
      .values({ recallId, contactId, key: `${recallId}:${contactId}` })
      .onConflictDoNothing()
      .returning({ id: recallPatients.id })
    if (joined.length > 0) await enqueue(tx, prepareRecall, { id: recallId })
  }
}

/**
 * Emails a patient once. Before it is handed over, the attempt says so: a run that finds that was killed in between, when no one knows whether
 * the email left. It is not sent again, and the patient is called.
 */
export const sendRecallEmail = defineJob({
  name: 'recalls.email',
  payload: z.object({ id: z.uuid() }),
  async run(scope, { id }, attempt) {
    const [found] = await scope.db
      .select({ attempt: recallAttempts, recallId: recallPatients.recallId })
      .from(recallAttempts)
      .innerJoin(recallPatients, eq(recallPatients.id, recallAttempts.recallPatientId))
      .where(eq(recallAttempts.id, id))
    if (!found) return
    if (found.attempt.state === 'sending') return end(scope, found, 'uncertain', 'The server stopped while this was sent')
    if (found.attempt.state !== 'queued') return
    const [claimed] = await scope.db
      .update(recallAttempts)
      .set({ state: 'sending' })
      .where(and(eq(recallAttempts.id, id), eq(recallAttempts.state, 'queued')))
      .returning({ id: recallAttempts.id })
    if (!claimed) return
    let problem: string | null
    try {
      problem = await handOver(scope, recallMail(scope, found.attempt), attempt)
    } catch (error) {
      // Postmark refused it for now, or did not answer: it is tried again.
      await scope.db.update(recallAttempts).set({ state: 'queued' }).where(eq(recallAttempts.id, id))
      throw error
    }
    return end(scope, found, problem === null ? 'sent' : 'failed', problem)
  },
})

interface Found {
  attempt: typeof recallAttempts.$inferSelect
  recallId: string
}

const end = (scope: Scope, { attempt, recallId }: Found, state: 'sent' | 'failed' | 'uncertain', problem: string | null) =>
  scope.db.transaction(async (tx) => {
    const isSending = and(eq(recallAttempts.id, attempt.id), eq(recallAttempts.state, 'sending'))
    const [ended] = await tx
      .update(recallAttempts)
      .set({ state, problem, at: scope.now() })
      .where(isSending)
      .returning({ id: recallAttempts.id })
    if (!ended) return
    if (state !== 'sent') await addCall(tx, scope, attempt.recallPatientId)
    await publish(tx, 'recall', recallId)
  })

/** Names neither the device nor the recall: subjects and first lines appear where others may read them. */
function recallMail(scope: Pick<Scope, 'env'>, { language, address }: Found['attempt']) {
  const { env } = scope
  const t = recallTexts[language ?? 'en']
  const [practice, phone] = [env.PRACTICE_NAME, env.PRACTICE_PHONE]
  return patientMail(env, address!, language ?? 'en', {
    subject: t('subject', { practice }),
    paragraphs: [t('intro', { practice }), t('howTo', { phone })],
    link: portalLink(env, address!, language ?? 'en'),
  })
}

/** A task for the person who started the recall to call a patient whom no email reaches; one for each patient. Other roles see it, so it names no implant. */
async function addCall(tx: Db, scope: Scope, recallPatientId: string): Promise<void> {
  const [row] = await tx
    .select({ taskId: recallPatients.taskId, contactId: recallPatients.contactId, by: recalls.createdBy })
    .from(recallPatients)
    .innerJoin(recalls, eq(recalls.id, recallPatients.recallId))
    .where(eq(recallPatients.id, recallPatientId))
    .for('no key update', { of: recallPatients })
  if (!row?.by || row.taskId !== null) return
  const taskId = await addTask(tx, scope, {
    title: 'Call the patient: no email reached them',
    type: 'Call',
    dueDate: daysLater(dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE), 1),
    contactId: row.contactId,
    people: [row.by],
  })
  await tx.update(recallPatients).set({ taskId }).where(eq(recallPatients.id, recallPatientId))
}
