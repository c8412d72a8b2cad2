import { createHash } from 'node:crypto'
import { desc, eq, inArray } from 'drizzle-orm'
import type { QuickBooksFailure } from '../../integrations/quickbooks/failure.ts'
import { contains } from '../../integrations/quickbooks/query.ts'
import type { Customer } from '../../integrations/quickbooks/shapes.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { contactsByEmail } from '../../crm/contacts/service.ts'
import { customerToKeep, keep, objectsOf, openQuickBooks, refreshWhenOld, searchObjects, statusOf } from '../quickbooks/service.ts'
import type { PosCustomer } from './contract.ts'
import { linkCustomer } from './contact-link.ts'
import { contactCustomers } from '../quickbooks/table.ts'

type Known = Awaited<ReturnType<typeof searchObjects>>

/** Why the books could not do it. */
function refusalOf({ kind, message }: Pick<QuickBooksFailure, 'kind' | 'message'>) {
  if (kind === 'reconnect') return refuse('RECONNECT')
  return kind === 'refused' ? refuse('REFUSED', undefined, message) : refuse('AWAY')
}

/**
 * Customers whose name (or email) contains what was typed. From what is known here; QuickBooks is asked when nothing is, as someone may have
 * been added there a moment ago. `isUnavailable`: it could not be asked.
 */
export async function searchCustomers(scope: Scope, query: string, by: 'name' | 'email') {
  const search = () => searchObjects(scope.db, 'customer', query, by)
  const { state, listsReadAt } = await statusOf(scope)
  if (state === 'connected') await refreshWhenOld(scope)
  let found = await search()
  let isUnavailable = false
  if (found.length === 0) {
    isUnavailable = !(await readCustomers(scope, query, by))
    found = await search()
  }
  return { customers: await withContacts(scope, found), readAt: listsReadAt, isUnavailable }
}

/** Reads what QuickBooks finds. False: it could not be asked. */
async function readCustomers(scope: Scope, query: string, by: 'name' | 'email'): Promise<boolean> {
  const books = await openQuickBooks(scope, 0)
  const field = by === 'name' ? 'DisplayName' : 'PrimaryEmailAddr'
  const result = await books?.query('Customer', { where: [contains(field, query)], most: 25 })
  if (!result?.ok) return false
  await keep(scope.db, 'customer', result.value.map(customerToKeep), scope.now())
  return true
}

async function withContacts({ db }: Scope, found: Known): Promise<PosCustomer[]> {
  const ids = found.map(({ id }) => id)
  const links = ids.length > 0 ? await db.select().from(contactCustomers).where(inArray(contactCustomers.customerId, ids)) : []
  const linked = new Map(links.map(({ customerId, contactId }) => [customerId, contactId]))
  return Promise.all(
    found.map(async ({ id, name, email }) => ({
      id,
      name,
      email,
      refyneContactId: linked.get(id) ?? (email ? ((await contactsByEmail(db, email))[0]?.id ?? null) : null),
    })),
  )
}

/** The customer who is this patient: the one linked last, else the one with one of their emails. Null: there is no such patient. */
export async function customerOfContact(scope: Scope, contactId: string): Promise<{ customer: PosCustomer | null } | null> {
  const [contact] = await scope.db.select({ email: contacts.email }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const [link] = await scope.db
    .select()
    .from(contactCustomers)
    .where(eq(contactCustomers.contactId, contactId))
    .orderBy(desc(contactCustomers.linkedAt))
    .limit(1)
  const linked = link ? await objectsOf(scope.db, 'customer', [link.customerId]) : []
  const wanted = contact.email?.toLowerCase()
  const found =
    linked.length > 0 || !wanted
      ? linked
      : (await searchObjects(scope.db, 'customer', wanted, 'email')).filter(({ email }) => email?.toLowerCase() === wanted)
  const [customer] = found
  await scope.recordView({ kind: 'contact', contactIds: [contactId] })
  return { customer: customer ? { id: customer.id, name: customer.name, email: customer.email, refyneContactId: contactId } : null }
}

type NewCustomer = { firstName: string; lastName: string; email: string; contactId?: string | undefined }

/** The same request for the same person on the same day: a second click, or a try after a time-out, adds no one twice. */
function requestIdOf(scope: Scope, realmId: string, { firstName, lastName, email }: NewCustomer, displayName: string): string {
  const day = scope.now().toISOString().slice(0, 10)
  return createHash('sha256')
    .update(JSON.stringify([realmId, day, firstName, lastName, email.toLowerCase(), displayName]))
    .digest('hex')
    .slice(0, 36)
}

/** The vendor's number for a name that another customer has. */
const duplicateName = '6240'

/**
 * Adds a customer to QuickBooks for the patient who is named, else finds or makes the patient. Two people of one name are told apart by their
 * email. Null: there is no such patient.
 */
export async function createCustomer(scope: Scope, person: NewCustomer) {
  if (person.contactId && (await scope.db.$count(contacts, eq(contacts.id, person.contactId))) === 0) return null
  const books = await openQuickBooks(scope)
  if (!books) return refuse('RECONNECT')
  const name = `${person.firstName} ${person.lastName}`
  for (const displayName of [name, `${name} (${person.email})`]) {
    const body = {
      DisplayName: displayName,
      GivenName: person.firstName,
      FamilyName: person.lastName,
      PrimaryEmailAddr: { Address: person.email },
    }
    const result = await books.createCustomer(requestIdOf(scope, books.realmId, person, displayName), body)
    if (result.ok) return { customer: result.value, contactId: await keepCustomer(scope, result.value, person) }
    if (result.code !== duplicateName) return refusalOf(result)
  }
  return refuse('REFUSED', undefined, 'A customer with this name and email exists already')
}

/** Gives a customer an email in QuickBooks, and finds or makes the patient who has it. Null: no such customer. */
export async function updateCustomerEmail(scope: Scope, customerId: string, email: string) {
  const books = await openQuickBooks(scope)
  if (!books) return refuse('RECONNECT')
  const current = await books.readCustomer(customerId)
  if (!current.ok) return current.code === '610' ? null : refusalOf(current)
  const { SyncToken } = current.value
  // The version makes the request this change alone.
  const requestId = createHash('sha256')
    .update(JSON.stringify([customerId, SyncToken, email]))
    .digest('hex')
    .slice(0, 36)
  const result = await books.updateCustomer(requestId, { Id: customerId, SyncToken, PrimaryEmailAddr: { Address: email } })
  if (!result.ok) return refusalOf(result)
  const { GivenName, FamilyName, DisplayName } = result.value
  return { contactId: await keepCustomer(scope, result.value, { firstName: GivenName ?? '', lastName: FamilyName ?? DisplayName, email }) }
}

async function keepCustomer(scope: Scope, customer: Customer, person: NewCustomer): Promise<string> {
  return scope.db.transaction(async (tx) => {
    await keep(tx, 'customer', [customerToKeep(customer)], scope.now())
    const contactId = await linkCustomer(tx, scope, customer.Id, person)
    await recordChange(tx, scope, { action: 'changed', kind: 'customer', contactIds: [contactId], after: { customerId: customer.Id } })
    return contactId
  })
}
