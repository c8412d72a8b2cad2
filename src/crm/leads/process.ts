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
import { attributionOf } from './attribution.ts'
import { leadMessages, leadNames } from './contract.ts'
import { readEmails } from './emails.ts'
import { type Lead, normaliseLead } from './rules.ts'
import { flatten } from './shapes.ts'
import { leadEntries } from './table.ts'

type Entry = typeof leadEntries.$inferSelect
type Contact = typeof contacts.$inferSelect
type Source = typeof leadSources.$inferSelect

/** Processes one lead entry (spec 4: processing, then completed or error). An entry that was processed before is left alone. */
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
    const lead = within(sent)
    const refused = leadNames.safeParse(lead).error
    if (refused) return fail(refused.issues[0]!.message)
    const emails = readEmails(lead.email)
    if (!emails) return fail(leadMessages.email)
    const [email, ...otherEmails] = emails
    await becomePatient(tx, scope, found, { ...lead, email }, otherEmails)
  })
}

/** Sends a new patient the email that welcomes them. Messages knows how. */
export const welcome =
  slot<(tx: Db, scope: Scope, contact: Pick<typeof contacts.$inferSelect, 'id' | 'email' | 'firstName' | 'lastName'>) => Promise<void>>(
    'welcome',
  )

/**
 * Makes a patient of a lead, or adds it to the one who has its email, and completes its entry, which the caller has locked. `otherEmails` are the
 * further addresses that the form sent.
 */
export async function becomePatient(
  tx: Db,
  scope: Scope,
  { entry, source }: { entry: Entry; source: Source },
  lead: Lead,
  otherEmails: readonly string[],
) {
  const attribution = attributionOf(entry.rawData, source.name, entry.receivedAt)
  const found = await findOrCreate(tx, scope, source, { ...lead, otherEmails }, attribution)
  await addImpliedConsent(tx, scope, { contactId: found.contact.id, basis: 'inquiry', source: 'lead', givenAt: entry.receivedAt })
  if (found.isNew && source.sendsWelcome) await welcome(tx, scope, found.contact)
  await finish(tx, scope, entry, { status: 'completed', contactId: found.contact.id, errorMessage: null })
  return found
}

/** The last attempt has failed: the entry says so, and keeps what was sent. */
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
  // A lead that has become a patient is announced as that.
  if (outcome.status === 'error') await announceLead(tx, entry.id)
}

/** Anyone who may look at leads hears of one that failed, or is tried again. */
export const announceLead = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'lead', id, { accounts: [], roles: permissions['leads.entries'] })

/** The contact one of whose emails is the lead's, in any case; a new one only if there is none, however many leads arrive at once. */
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
  const asked = lead.procedure ? `, asking about ${lead.procedure}` : ''
  if (existing) {
    // Anyone can fill in a form, and an address on the record opens the portal: staff decide whether it is the patient's.
    const unknown = lead.otherEmails.filter((email) => !taken.some((one) => one.email === email && one.contact.id === existing.id))
    const description = `Another lead from ${source.name}${asked}${formatOthers(unknown)}`
    const fill = { ...lackingOf(existing, lead, procedure), ...attributionsAfter(existing, attribution) }
    return { contact: await welcomeBack(tx, scope, existing, fill, description), isNew: false }
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
  const description = `Lead from ${source.name}${asked}${formatOthers(lead.otherEmails.filter(isTaken))}`
  return { contact: await insertContact(tx, scope, values, description), isNew: true }
}

/** The addresses of a lead that are not on the patient's record, for the timeline. */
const formatOthers = (emails: readonly string[]): string => (emails.length === 0 ? '' : `. Other emails sent: ${emails.join(', ')}`)

/** What a known patient's lead says that was not known yet. Nothing is overwritten. */
function lackingOf(contact: Contact, lead: Lead, procedure: Partial<Contact>): Partial<Contact> {
  const asksFirst = lead.procedure && !contact.procedureId && !contact.procedureText
  return { ...(contact.phone || !lead.phone ? {} : { phone: lead.phone }), ...(asksFirst ? procedure : {}) }
}

/** A known patient writes again: the timeline tells of it, and where they came from this time is the latest attribution. */
async function welcomeBack(tx: Db, scope: Scope, contact: Contact, fill: Partial<Contact>, description: string): Promise<Contact> {
  await addInteraction(tx, scope, { contactId: contact.id, type: 'note', description })
  return writeChange(tx, scope, contact, fill)
}

/** A form may send anything up to 64 KiB; what is stored of it fits the contact's fields. All of it stays in the entry. */
const within = (lead: Lead): Lead => ({
  firstName: lead.firstName.slice(0, 100).toWellFormed(),
  lastName: lead.lastName.slice(0, 100).toWellFormed(),
  email: lead.email,
  phone: lead.phone?.slice(0, 50).toWellFormed() ?? null,
  procedure: lead.procedure?.slice(0, 200).toWellFormed() ?? null,
  source: lead.source?.slice(0, 200).toWellFormed() ?? null,
})
