import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { hasWebAddress, inOneLine } from '../../shared/text.ts'
import { insertContact, lockByEmail, lockEmails } from '../../crm/contacts/service.ts'
import { initialStage } from '../../crm/pipeline/service.ts'
import { factsOf, objectsOf } from '../quickbooks/service.ts'
import { contactCustomers } from '../quickbooks/table.ts'

type Person = { firstName: string; lastName: string; email: string; contactId?: string | undefined }

/** Finds the patient with this email among all their addresses, or creates one (spec 7). */
async function findOrCreateContact(tx: Db, scope: Scope, { email, ...named }: Person): Promise<string> {
  await lockEmails(tx, [email])
  const existing = await lockByEmail(tx, email)
  if (existing) return existing.id
  const [first, last] = [named.firstName, named.lastName].map(withoutWebAddress) as [string, string]
  const names = last ? { firstName: first, lastName: last } : { firstName: '', lastName: first || 'QuickBooks customer' }
  const values = { ...names, email, funnelStageId: await initialStage(tx), importSource: 'Point of sale' }
  return (await insertContact(tx, scope, values, 'Patient added at the point of sale')).id
}

/** A QuickBooks name as a valid patient name: company names may contain a web address, patient names may not. */
const withoutWebAddress = (name: string): string =>
  inOneLine(name)
    .split(/\s+/)
    .filter((word) => !hasWebAddress(word))
    .join(' ')

/** Links a customer to the given, found or newly created patient. A customer that is already linked keeps its patient. */
export async function linkCustomer(tx: Db, scope: Scope, customerId: string | null, person: Person): Promise<string> {
  const linked = customerId === null ? null : await linkedContact(tx, customerId)
  if (linked) return linked
  const contactId = person.contactId ?? (await findOrCreateContact(tx, scope, person))
  if (customerId !== null) await tx.insert(contactCustomers).values({ contactId, customerId, linkedAt: scope.now() }).onConflictDoNothing()
  return contactId
}

/** The patient linked to a customer. */
export async function linkedContact(tx: Db, customerId: string): Promise<string | null> {
  const [row] = await tx
    .select({ contactId: contactCustomers.contactId })
    .from(contactCustomers)
    .where(eq(contactCustomers.customerId, customerId))
  return row?.contactId ?? null
}

/** The patient linked to a customer or sharing its email, created if needed. Null: the customer has no email. */
export async function contactOfCustomer(tx: Db, scope: Scope, customerId: string): Promise<string | null> {
  const linked = await linkedContact(tx, customerId)
  if (linked) return linked
  const [customer] = await objectsOf(tx, 'customer', [customerId])
  if (!customer?.email) return null
  const { givenName, familyName } = factsOf.customer.parse(customer.facts)
  return linkCustomer(tx, scope, customerId, { ...namesOf(customer.name, givenName, familyName), email: customer.email })
}

/** First and last name. If a customer only has a display name, its last word is the last name. */
function namesOf(displayName: string, givenName: string | null, familyName: string | null): { firstName: string; lastName: string } {
  if (givenName && familyName) return { firstName: givenName, lastName: familyName }
  const words = displayName.trim().split(/\s+/)
  const last = words.length > 1 ? words.pop()! : displayName
  return { firstName: words.join(' '), lastName: last }
}
