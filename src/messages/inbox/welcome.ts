import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { describeError } from '../../kernel/errors.ts'
import { givingWay } from '../../kernel/give-way.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import { languageOf } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { renderTemplate } from '../email-templates/service.ts'
import { writeToPatient } from './service.ts'
import { welcomeTemplate } from '../../crm/lead-sources/rules.ts'
import { isGreetable } from '../../crm/leads/rules.ts'
import { welcomedAddresses } from '../../crm/leads/table.ts'

class NotWelcomed extends Error {}

/** Sends the welcome email to new patients. It is not part of processing their leads, so that in a burst all of them are seen first. */
export const sendWelcomes = defineJob({
  name: 'inbox.welcome',
  payload: z.object({ contactIds: z.array(z.uuid()) }),
  after: 'all',
  async run(scope, { contactIds }) {
    const failures: unknown[] = []
    for (const id of contactIds) await givingWay(() => welcome(scope, id)).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0] // each is logged
  },
})

/** So few that other jobs soon have their turn. */
const maxPerJob = 10

/** Queues the welcome emails of new patients in the caller's transaction. */
export async function queueWelcomes(tx: Db, contactIds: readonly string[]): Promise<void> {
  for (let start = 0; start < contactIds.length; start += maxPerJob)
    await enqueue(tx, sendWelcomes, { contactIds: contactIds.slice(start, start + maxPerJob) })
}

/** Queues the welcome email of a new patient, once per address ever. Spec 8: what prevents it is logged. */
async function welcome(scope: Scope, contactId: string): Promise<void> {
  try {
    await scope.db.transaction(async (tx) => {
      const { email, firstName, lastName } = contacts
      const [contact] = await tx.select({ email, firstName, lastName }).from(contacts).where(eq(contacts.id, contactId))
      if (!contact?.email) return
      if ([contact.firstName, contact.lastName].every(isGreetable)) return write(tx, scope, contactId, contact.email)
      scope.log.warn({ contactId }, 'The welcome email was not sent to a new lead: the name is not a person’s name')
    })
  } catch (error) {
    const reason = error instanceof NotWelcomed ? error.message : describeError(error)
    scope.log.error({ contactId, reason }, 'Failed to send templated email') // spec 8
    if (!(error instanceof NotWelcomed)) throw error
  }
}

async function write(tx: Db, scope: Scope, contactId: string, email: string): Promise<void> {
  const addressHash = createHash('sha256').update(email.toLowerCase()).digest('base64url')
  const [first] = await tx
    .insert(welcomedAddresses)
    .values({ addressHash, welcomedAt: scope.now() })
    .onConflictDoNothing()
    .returning({ addressHash: welcomedAddresses.addressHash })
  if (!first) return
  const mail = await renderTemplate(tx, scope.env, welcomeTemplate, contactId, { language: await languageOf(tx, contactId) })
  if (!mail) throw new NotWelcomed(`there is no template ${welcomeTemplate}`)
  const sent = await writeToPatient(tx, scope, {
    contactId,
    address: email,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    documentIds: [],
    isCommercial: isCommercialCategory(mail.category),
    idempotencyKey: randomUUID(),
  })
  if (isRefusal(sent)) throw new NotWelcomed(sent.refusal)
}
