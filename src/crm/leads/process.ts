import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { type Attribution, attributionsAfter } from '../contacts/rules.ts'
import { contactsWithEmails, insertContact, lockByEmail, lockEmails, writeChange } from '../contacts/service.ts'
import { addImpliedConsent } from '../consent/service.ts'
import type { contacts } from '../contacts/table.ts'
import { addInteraction } from '../interactions/service.ts'
import { findLeadSource } from '../lead-sources/service.ts'
import { leadSources } from '../lead-sources/table.ts'
import { initialStage } from '../pipeline/service.ts'
import { findProcedure } from '../procedures/service.ts'
import { attributionOf } from './reading/attribution.ts'
import { leadMessages, leadNames } from './contract.ts'
import { readEmails } from './emails.ts'
import { type Lead, normaliseLead } from './rules.ts'
import { flatten } from './reading/read-body.ts'
import { leadEntries } from './table.ts'

type Entry = typeof leadEntries.$inferSelect
type Contact = typeof contacts.$inferSelect
type Source = typeof leadSources.$inferSelect

/** Processes one lead entry: processing, then completed or error (spec 4). Does nothing if it was processed before. */
export async function processEntry(scope: Scope, entryId: string): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const [found] = await tx
      .select({ entry: leadEntries, source: leadSources })
      .from(leadEntries)
      .innerJoin(leadSources, eq(leadSources.id, leadEntries.sourceId))
      .where(eq(leadEntries.id, entryId))
      .for('update', { of: leadEntries })
    if (!found || found.entry.status !== 'processing') return
    const fail = (errorMessage: string) => finish(tx, scope, found.entry, { status: 'error', errorMessage })
    const sent = normaliseLead(flatten(found.entry.rawData, found.source.fieldMap))
    if (!sent) return fail(leadMessages.missing)
    const lead = truncateValues(sent)
    const refused = leadNames.safeParse(lead).error
    if (refused) return fail(refused.issues[0]!.message)
    const emails = readEmails(lead.email)
    if (!emails) return fail(leadMessages.email)
    const [email, ...otherEmails] = emails
    await createOrUpdateContact(tx, scope, found, { ...lead, email }, otherEmails)
  })
}

/** Sends the welcome email to a new patient. Implemented in messages. */
export const sendWelcomeEmail =
  slot<(tx: Db, scope: Scope, contact: Pick<typeof contacts.$inferSelect, 'id' | 'email' | 'firstName' | 'lastName'>) => Promise<void>>(
    'welcome',
  )

/**
 * Creates a patient from a lead, or adds the lead to the patient with its email, and completes its entry, which the caller has locked.
 * `otherEmails`: further addresses that the form sent.
 */
export async function createOrUpdateContact(
  tx: Db,
  scope: Scope,
  { entry, source }: { entry: Entry; source: Source },
  lead: Lead,
  otherEmails: readonly string[],
) {
  const attribution = attributionOf(entry.rawData, source.name, entry.receivedAt)
  const found = await findOrCreate(tx, scope, source, { ...lead, otherEmails }, attribution)
  await addImpliedConsent(tx, scope, { contactId: found.contact.id, basis: 'inquiry', source: 'lead', givenAt: entry.receivedAt })
  if (found.isNew && source.sendsWelcome) await sendWelcomeEmail(tx, scope, found.contact)
  await finish(tx, scope, entry, { status: 'completed', contactId: found.contact.id, errorMessage: null })
  return found
}

/** Marks an entry as failed after the last attempt. Its data is kept. */
export const failEntry = (scope: Scope, entryId: string): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const [entry] = await tx.select().from(leadEntries).where(eq(leadEntries.id, entryId)).for('update')
    if (entry?.status === 'processing') await finish(tx, scope, entry, { status: 'error', errorMessage: leadMessages.failed })
  })

async function finish(tx: Db, scope: Scope, entry: Entry, outcome: Partial<Entry>) {
  await tx
    .update(leadEntries)
    .set({ ...outcome, processedAt: scope.now() })
    .where(eq(leadEntries.id, entry.id))
  // For a completed lead the change of the contact is published instead.
  if (outcome.status === 'error') await publishLead(tx, entry.id)
}

/** Publishes to roles that see leads that a lead has failed or is being retried. */
export const publishLead = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'lead', id, { accounts: [], roles: permissions['leads.entries'] })

/** Finds the contact with the lead's email, ignoring case, or creates one; simultaneous leads create one contact. */
async function findOrCreate(
  tx: Db,
  scope: Scope,
  source: Source,
  lead: Lead & { otherEmails: readonly string[] },
  attribution: Attribution,
): Promise<{ contact: Contact; isNew: boolean }> {
  await lockEmails(tx, [lead.email, ...lead.otherEmails])
  const [existing, taken, stage, procedure, named] = await Promise.all([
    lockByEmail(tx, lead.email),
    contactsWithEmails(tx, lead.otherEmails),
    initialStage(tx),
    findProcedure(tx, lead.procedure),
    lead.source ? findLeadSource(tx, lead.source) : { leadSourceId: source.id },
  ])
  const interest = lead.procedure ? `, asking about ${lead.procedure}` : ''
  if (existing) {
    // Addresses are not added to the record: anyone can fill in a form, and an address gives access to the portal. Staff decide whether it
    // is the patient's.
    const unknown = lead.otherEmails.filter((email) => !taken.some((one) => one.email === email && one.contact.id === existing.id))
    const description = `Another lead from ${source.name}${interest}${formatOthers(unknown)}`
    const changes = { ...missingFields(existing, lead, procedure), ...attributionsAfter(existing, attribution) }
    return { contact: await addToContact(tx, scope, existing, changes, description), isNew: false }
  }
  const isTaken = (email: string) => taken.some((one) => one.email === email)
  const values = {
    firstName: lead.firstName,
    lastName: lead.lastName,
    email: lead.email,
    otherEmails: lead.otherEmails.filter((email) => !isTaken(email)),
    phone: lead.phone,
    status: 'new',
    funnelStageId: stage,
    leadSourceId: named.leadSourceId,
    leadSourceText: lead.source,
    ...procedure,
    importSource: `Lead form: ${source.name}`,
    firstAttribution: attribution,
    latestAttribution: attribution,
  }
  const description = `Lead from ${source.name}${interest}${formatOthers(lead.otherEmails.filter(isTaken))}`
  return { contact: await insertContact(tx, scope, values, description), isNew: true }
}

/** Lists the addresses of a lead that are not on the patient's record, for the timeline. */
const formatOthers = (emails: readonly string[]): string => (emails.length === 0 ? '' : `. Other emails sent: ${emails.join(', ')}`)

/** Values of a lead that are missing on the contact. Nothing is overwritten. */
function missingFields(contact: Contact, lead: Lead, procedure: Partial<Contact>): Partial<Contact> {
  const hasNewProcedure = lead.procedure && !contact.procedureId && !contact.procedureText
  return { ...(contact.phone || !lead.phone ? {} : { phone: lead.phone }), ...(hasNewProcedure ? procedure : {}) }
}

/** Adds a lead to an existing contact: a timeline entry, missing values and the latest attribution. */
async function addToContact(tx: Db, scope: Scope, contact: Contact, changes: Partial<Contact>, description: string): Promise<Contact> {
  await addInteraction(tx, scope, { contactId: contact.id, type: 'note', description })
  return writeChange(tx, scope, contact, changes)
}

/** Truncates values to the lengths of the contact's fields. The entry keeps the full values. */
const truncateValues = (lead: Lead): Lead => ({
  firstName: lead.firstName.slice(0, 100).toWellFormed(),
  lastName: lead.lastName.slice(0, 100).toWellFormed(),
  email: lead.email,
  phone: lead.phone?.slice(0, 50).toWellFormed() ?? null,
  procedure: lead.procedure?.slice(0, 200).toWellFormed() ?? null,
  source: lead.source?.slice(0, 200).toWellFormed() ?? null,
})
