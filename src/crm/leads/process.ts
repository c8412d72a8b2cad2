import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { attributionsAfter } from '../contacts/rules.ts'
import { contactsWithEmails, insertContact, lockByEmail, lockEmails, writeChange } from '../contacts/service.ts'
import { addImpliedConsent, channelsGiven } from '../consent/service.ts'
import type { contacts } from '../contacts/table.ts'
import { addInteraction } from '../interactions/service.ts'
import { findLeadSource } from '../lead-sources/service.ts'
import type { leadSources } from '../lead-sources/table.ts'
import { initialStage } from '../pipeline/service.ts'
import { findProcedure } from '../procedures/service.ts'
import { attributionOf } from './reading/attribution.ts'
import { leadLanguage } from './reading/language.ts'
import { leadMessages, leadNames } from './contract.ts'
import { readEmails } from './emails.ts'
import { type Lead, normaliseLead } from './rules.ts'
import { flatten } from './reading/read-body.ts'
import { leadEntries } from './table.ts'

type Entry = typeof leadEntries.$inferSelect
type Contact = typeof contacts.$inferSelect
type Source = typeof leadSources.$inferSelect

/** A lead as a contact can have it: with its first email, and the others that the form sent. */
export type ReadableLead = Lead & { otherEmails: readonly string[] }
export type Received = { entry: Entry; source: Source }

/** Reads an entry's fields, or returns the message that says why it can't become a patient. */
export function readEntry({ entry, source }: Received): ReadableLead | string {
  const sent = normaliseLead(flatten(entry.rawData, source.fieldMap))
  if (!sent) return leadMessages.missing
  const lead = truncateValues(sent)
  const refused = leadNames.safeParse(lead).error
  if (refused) return refused.issues[0]!.message
  const emails = readEmails(lead.email)
  if (!emails) return leadMessages.email
  const [email, ...otherEmails] = emails
  return { ...lead, email, otherEmails }
}

/** Queues the welcome email to new patients. Implemented in messages. */
export const queueWelcomes = slot<(tx: Db, contactIds: readonly string[]) => Promise<void>>('welcomes')

/** Creates a patient from a lead, or adds the lead to the patient with its email, and completes its entry, which the caller has locked. */
export async function createOrUpdateContact(tx: Db, scope: Scope, { entry, source }: Received, lead: ReadableLead) {
  const found = await findOrCreate(tx, scope, { entry, source }, lead)
  const implied = { channels: channelsGiven(lead), basis: 'inquiry' as const, source: 'lead' as const, givenAt: entry.receivedAt }
  await addImpliedConsent(tx, scope, { contactId: found.contact.id, ...implied })
  if (found.isNew && source.sendsWelcome) await queueWelcomes(tx, [found.contact.id])
  await finish(tx, scope, entry, { status: 'completed', contactId: found.contact.id, errorMessage: null })
  return found
}

/**
 * Creates or updates the patient with a proved address at once, because someone waits for it. `fields` have the names of forms and are checked already.
 * Returns the locked patient.
 */
export async function processAtOnce(
  tx: Db,
  scope: Scope,
  source: Source,
  email: string,
  fields: Record<string, unknown>,
): Promise<Contact> {
  const [entry] = await tx
    .insert(leadEntries)
    .values({ sourceId: source.id, rawData: { ...fields, email }, rawBody: '', contentType: 'application/json', receivedAt: scope.now() })
    .returning()
  const received = { entry: entry!, source }
  const lead = readEntry(received)
  if (typeof lead === 'string') throw new Error(`A lead was refused: ${lead}`)
  // Forms send addresses that have to be cleaned, but only this one is proved.
  return (await createOrUpdateContact(tx, scope, received, { ...lead, email, otherEmails: [] })).contact
}

/** Marks an entry as failed after the last attempt. Its data is kept. */
export const failEntry = (scope: Scope, entryId: string): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const [entry] = await tx.select().from(leadEntries).where(eq(leadEntries.id, entryId)).for('update')
    if (entry?.status === 'processing') await finish(tx, scope, entry, { status: 'error', errorMessage: leadMessages.failed })
  })

export async function finish(tx: Db, scope: Scope, { id }: Pick<Entry, 'id'>, outcome: Partial<Entry>) {
  await tx
    .update(leadEntries)
    .set({ ...outcome, processedAt: scope.now() })
    .where(eq(leadEntries.id, id))
  // For a completed lead the change of the contact is published instead.
  if (outcome.status === 'error') await publishLead(tx, id)
}

/** Publishes to roles that see leads that a lead has failed or is being retried. */
export const publishLead = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'lead', id, { accounts: [], roles: permissions['leads.entries'] })

/** Finds the contact with the lead's email, ignoring case, or creates one; simultaneous leads create one contact. */
async function findOrCreate(tx: Db, scope: Scope, received: Received, lead: ReadableLead): Promise<{ contact: Contact; isNew: boolean }> {
  await lockEmails(tx, [lead.email, ...lead.otherEmails])
  const [existing, taken, stage, procedure, source] = await Promise.all([
    lockByEmail(tx, lead.email),
    contactsWithEmails(tx, lead.otherEmails),
    initialStage(tx),
    findProcedure(tx, lead.procedure),
    lead.source ? findLeadSource(tx, lead.source) : null,
  ])
  if (existing) {
    // Addresses are not added to the record: anyone can fill in a form, and an address gives access to the portal. Staff decide whether it
    // is the patient's.
    const unknown = lead.otherEmails.filter((email) => !taken.some((one) => one.email === email && one.contact.id === existing.id))
    const attributions = attributionsAfter(existing, attributionOf(received.entry.rawData, received.source.name, received.entry.receivedAt))
    const changes = { ...missingFields(existing, lead, procedure), ...attributions }
    return {
      contact: await addToContact(tx, scope, existing, changes, describeLead('Another lead', received, lead, unknown)),
      isNew: false,
    }
  }
  const isTaken = (email: string) => taken.some((one) => one.email === email)
  const own = { ...lead, otherEmails: lead.otherEmails.filter((email) => !isTaken(email)) }
  const values = newContact(received, own, { stage, procedure, source })
  const description = describeLead('Lead', received, lead, lead.otherEmails.filter(isTaken))
  return { contact: await insertContact(tx, scope, values, description), isNew: true }
}

type Found = {
  stage: string
  procedure: Awaited<ReturnType<typeof findProcedure>>
  /** Null: the lead names no source. */
  source: Awaited<ReturnType<typeof findLeadSource>> | null
}

/** The patient that a lead becomes. */
export function newContact({ entry, source }: Received, lead: ReadableLead, found: Found): Parameters<typeof insertContact>[2] {
  const attribution = attributionOf(entry.rawData, source.name, entry.receivedAt)
  return {
    firstName: lead.firstName,
    lastName: lead.lastName,
    email: lead.email,
    otherEmails: [...lead.otherEmails],
    phone: lead.phone,
    preferredLanguage: leadLanguage(entry.rawData),
    status: 'new',
    funnelStageId: found.stage,
    leadSourceId: found.source ? found.source.leadSourceId : source.id,
    leadSourceText: lead.source,
    referredBy: lead.referredBy,
    ...found.procedure,
    importSource: `Lead form: ${source.name}`,
    firstAttribution: attribution,
    latestAttribution: attribution,
  }
}

/** The timeline entry of a lead. `unrecorded`: the addresses that it sent and that are not on the patient's record. */
export function describeLead(first: 'Lead' | 'Another lead', { source }: Received, lead: Lead, unrecorded: readonly string[] = []): string {
  const interest = lead.procedure ? `, asking about ${lead.procedure}` : ''
  const others = unrecorded.length > 0 ? `. Other emails sent: ${unrecorded.join(', ')}` : ''
  return `${first} from ${source.name}${interest}${others}`
}

/** Values of a lead that are missing on the contact. Nothing is overwritten. */
function missingFields(contact: Contact, lead: Lead, procedure: Partial<Contact>): Partial<Contact> {
  const hasNewProcedure = lead.procedure && !contact.procedureId && !contact.procedureText
  return {
    ...(contact.phone || !lead.phone ? {} : { phone: lead.phone }),
    ...(contact.referredBy || !lead.referredBy ? {} : { referredBy: lead.referredBy }),
    ...(hasNewProcedure ? procedure : {}),
  }
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
  referredBy: lead.referredBy?.slice(0, 200).toWellFormed() ?? null,
})
