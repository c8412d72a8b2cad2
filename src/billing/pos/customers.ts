import { createHash } from 'node:crypto'
import { desc, eq, inArray } from 'drizzle-orm'
import type { QuickBooksFailure } from '../../integrations/quickbooks/failure.ts'
import { contains } from '../../integrations/quickbooks/query.ts'
import type { Customer } from '../../integrations/quickbooks/shapes.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { contactsByEmail } from '../../crm/contacts/service.ts'
import { customerToKeep, keep, objectsOf, openQuickBooks, refreshWhenOld, searchObjects, statusOf } from '../quickbooks/service.ts'
import type { PosCustomer } from './contract.ts'
import { linkCustomer } from './contact-link.ts'
import { contactCustomers } from '../quickbooks/table.ts'

type Known = Awaited<ReturnType<typeof searchObjects>>

/** Refusals when QuickBooks could not do it. */
function refusalOf({ kind, message }: Pick<QuickBooksFailure, 'kind' | 'message'>) {
  if (kind === 'reconnect') return refuse('RECONNECT')
  return kind === 'refused' ? refuse('REFUSED', undefined, message) : refuse('AWAY')
}

/**
 * Customers whose name (or email) contains the query. Searches the local copy, then QuickBooks if nothing matches: someone may have
 * been added there a moment ago. `isUnavailable`: QuickBooks could not be reached.
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

/** Stores QuickBooks' search results. False: it could not be reached. */
async function readCustomers(scope: Scope, query: string, by: 'name' | 'email'): Promise<boolean> {
  const quickBooks = await openQuickBooks(scope, 0)
  const field = by === 'name' ? 'DisplayName' : 'PrimaryEmailAddr'
  const result = await quickBooks?.query('Customer', { where: [contains(field, query)], most: 25 })
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

/** The patient's customer: the most recently linked, otherwise one with one of their emails. Null: patient not found. */
export async function customerOfContact(scope: Scope, contactId: string): Promise<{ customer: PosCustomer | null } | null> {
  if ((await scope.db.$count(contacts, eq(contacts.id, contactId))) === 0) return null
  const customer = await customerOfPatient(scope.db, contactId)
  await scope.recordView({ kind: 'contact', contactIds: [contactId] })
  return { customer: customer && { ...customer, refyneContactId: contactId } }
}

/** The same for the system itself, which views nothing. Null: there is none. */
export async function customerOfPatient(db: Db, contactId: string): Promise<{ id: string; name: string; email: string | null } | null> {
  const [link] = await db
    .select()
    .from(contactCustomers)
    .where(eq(contactCustomers.contactId, contactId))
    .orderBy(desc(contactCustomers.linkedAt))
    .limit(1)
  const linked = link ? await objectsOf(db, 'customer', [link.customerId]) : []
  const [contact] = await db.select({ email: contacts.email }).from(contacts).where(eq(contacts.id, contactId))
  const wanted = contact?.email?.toLowerCase()
  const found =
    linked.length > 0 || !wanted
      ? linked
      : (await searchObjects(db, 'customer', wanted, 'email')).filter(({ email }) => email?.toLowerCase() === wanted)
  const [customer] = found
  return customer ? { id: customer.id, name: customer.name, email: customer.email } : null
}

type NewCustomer = { firstName: string; lastName: string; email: string; contactId?: string | undefined }

/** Same requestid for the same person on the same day, so a second click or a retry after a timeout adds no duplicate. */
function requestIdOf(scope: Scope, realmId: string, { firstName, lastName, email }: NewCustomer, displayName: string): string {
  const day = scope.now().toISOString().slice(0, 10)
  return createHash('sha256')
    .update(JSON.stringify([realmId, day, firstName, lastName, email.toLowerCase(), displayName]))
    .digest('hex')
    .slice(0, 36)
}

/** QuickBooks' error code for a duplicate name. */
const duplicateName = '6240'

/**
 * Adds a customer to QuickBooks for the given patient, or finds or creates the patient. Two people with the same name are distinguished by
 * email. Null: patient not found.
 */
export async function createCustomer(scope: Scope, person: NewCustomer) {
  if (person.contactId && (await scope.db.$count(contacts, eq(contacts.id, person.contactId))) === 0) return null
  const quickBooks = await openQuickBooks(scope)
  if (!quickBooks) return refuse('RECONNECT')
  const name = `${person.firstName} ${person.lastName}`
  for (const displayName of [name, `${name} (${person.email})`]) {
    const body = {
      DisplayName: displayName,
      GivenName: person.firstName,
      FamilyName: person.lastName,
      PrimaryEmailAddr: { Address: person.email },
    }
    const result = await quickBooks.createCustomer(requestIdOf(scope, quickBooks.realmId, person, displayName), body)
    if (result.ok) return { customer: result.value, contactId: await keepCustomer(scope, result.value, person) }
    if (result.code !== duplicateName) return refusalOf(result)
  }
  return refuse('REFUSED', undefined, 'A customer with this name and email exists already')
}

/**
 * The patient's customer in QuickBooks, made if there is none. `NO_CUSTOMER`: the patient has no email address, which it needs, or QuickBooks refused it.
 * `NOT_CONNECTED`, `AWAY`: QuickBooks cannot be asked. Null: patient not found.
 */
export async function findOrCreateCustomer(scope: Scope, contactId: string) {
  const known = await customerOfPatient(scope.db, contactId)
  if (known) return known
  const { firstName, lastName, email } = contacts
  const [contact] = await scope.db.select({ firstName, lastName, email }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  if (!contact.email) return refuse('NO_CUSTOMER')
  const made = await createCustomer(scope, { firstName: contact.firstName, lastName: contact.lastName, email: contact.email, contactId })
  if (made === null) return null
  if (isRefusal(made)) {
    if (made.refusal === 'RECONNECT') return refuse('NOT_CONNECTED')
    return made.refusal === 'REFUSED' ? refuse('NO_CUSTOMER', undefined, made.message) : refuse('AWAY')
  }
  return { id: made.customer.Id, name: made.customer.DisplayName }
}

/** Sets a customer's email in QuickBooks, and finds or creates the patient with it. Null: customer not found. */
export async function updateCustomerEmail(scope: Scope, customerId: string, email: string) {
  const quickBooks = await openQuickBooks(scope)
  if (!quickBooks) return refuse('RECONNECT')
  const current = await quickBooks.readCustomer(customerId)
  if (!current.ok) return current.code === '610' ? null : refusalOf(current)
  const { SyncToken } = current.value
  // The sync token makes the requestid unique to this change.
  const requestId = createHash('sha256')
    .update(JSON.stringify([customerId, SyncToken, email]))
    .digest('hex')
    .slice(0, 36)
  const result = await quickBooks.updateCustomer(requestId, { Id: customerId, SyncToken, PrimaryEmailAddr: { Address: email } })
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
