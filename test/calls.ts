import { randomUUID } from 'node:crypto'
import type { AnyContractProcedure } from '@orpc/contract'
import { type ApiRoute, contract } from '../src/features/api/contract.ts'
import type { OneOfEach } from './factories.ts'
import { password } from './server.ts'

type Input = Record<string, unknown>

/** An input for every call that it has no reason to refuse, but for the one-time tokens, which are made up. */
const validInputs: Record<ApiRoute, (made: OneOfEach) => Input> = {
  'auth.session': () => ({}),
  'auth.signIn': () => ({ email: `${randomUUID()}@elsewhere.example`, password }),
  'auth.signUp': () => ({ firstName: 'Ana', lastName: 'Test', email: `${randomUUID()}@elsewhere.example`, password }),
  'auth.signOut': () => ({}),
  'auth.requestPasswordReset': () => ({ email: `${randomUUID()}@elsewhere.example` }),
  'auth.updatePassword': () => ({ password, token: 'made-up' }),
  'auth.verifyEmail': () => ({ token: 'made-up' }),
  'auth.resendVerification': () => ({ email: `${randomUUID()}@elsewhere.example` }),
  'auth.setupState': () => ({}),
  'auth.createFirstAdmin': () => ({
    firstName: 'Ana',
    lastName: 'Test',
    email: `${randomUUID()}@elsewhere.example`,
    password,
    token: 'made-up',
  }),
  'people.list': () => ({}),
  'people.accounts': () => ({}),
  'people.update': ({ accountId }) => ({ id: accountId, role: 'provider', status: 'active' }),
  'events.subscribe': () => ({}),
  'pipeline.stages': () => ({}),
  'leadSources.list': () => ({}),
  'leadSources.create': () => ({ name: randomUUID(), thankYouUrl: 'https://clinic.example/thanks' }),
  'leadSources.update': ({ sourceId }) => ({ id: sourceId, name: randomUUID(), thankYouUrl: 'https://clinic.example/thanks' }),
  'leadSources.rotateKey': ({ sourceId }) => ({ id: sourceId }),
  'leadSources.delete': ({ sourceId }) => ({ id: sourceId }),
  'procedures.list': () => ({}),
  'procedures.create': () => ({ name: randomUUID() }),
  'procedures.delete': ({ procedureId }) => ({ id: procedureId }),
  'tags.list': () => ({}),
  'tags.create': () => ({ name: randomUUID() }),
  'tags.delete': ({ tagId }) => ({ id: tagId }),
  'contacts.list': ({ stageId, tagId }) => ({ search: 'Ana', stageId, tagId, filter: 'owner:me', page: 1, limit: 50, sort: 'newest' }),
  'contacts.count': ({ stageId, tagId }) => ({ search: 'Ana', stageId, tagId, filter: 'owner:me' }),
  'contacts.tally': ({ stageId, tagId }) => ({ search: 'Ana', stageId, tagId, filter: 'owner:me' }),
  'contacts.find': ({ contactId }) => ({ search: 'Ana', recent: [contactId] }),
  'contacts.board': ({ stageId, tagId, contactId }) => ({
    search: 'Ana',
    stageId,
    tagId,
    filter: 'owner:me',
    order: 'longest',
    limit: 50,
    ids: [contactId],
  }),
  'contacts.boardColumn': ({ stageId, tagId }) => ({
    stage: stageId,
    search: 'Ana',
    tagId,
    order: 'latest',
    after: '2026-03-02T15:00:00.000000Z_1',
  }),
  'contacts.batch': () => ({ after: 1000 }),
  'contacts.byStage': () => ({ stage: 'lead' }),
  'contacts.bySource': () => ({ source: 'Website Form' }),
  'contacts.byEmail': () => ({ email: 'ana@elsewhere.example' }),
  'contacts.withWelcomeTag': () => ({}),
  'contacts.get': ({ contactId }) => ({ id: contactId }),
  'contacts.create': () => ({ firstName: 'Ana', lastName: 'Test', email: `${randomUUID()}@elsewhere.example` }),
  'contacts.update': ({ contactId }) => ({ id: contactId, version: 1, city: 'Ottawa' }),
  'contacts.delete': ({ contactId }) => ({ id: contactId }),
  'contacts.mergePreview': ({ contactId, otherContactId }) => ({ id: contactId, sourceId: otherContactId }),
  'contacts.merge': ({ contactId, otherContactId }) => ({
    id: contactId,
    sourceId: otherContactId,
    version: 1,
    sourceVersion: 1,
    choices: { city: 'source' },
  }),
  'contacts.merges': ({ contactId }) => ({ id: contactId }),
  'contacts.undoMerge': () => ({ id: randomUUID(), decisions: { 'field:city': 'keep' }, version: 1 }),
  'contacts.stageHistory': ({ contactId }) => ({ id: contactId }),
  'contacts.tags': ({ contactId }) => ({ id: contactId }),
  'contacts.addTag': ({ contactId, tagId }) => ({ id: contactId, tagId }),
  'contacts.removeTag': ({ contactId, tagId }) => ({ id: contactId, tagId }),
  'bulkChanges.start': ({ contactId, tagId }) => ({ selection: { ids: [contactId] }, change: { kind: 'tag', tagId, on: true } }),
  'bulkChanges.get': () => ({ id: randomUUID() }),
  'bulkChanges.current': () => ({}),
  'bulkChanges.deletions': () => ({}),
  'bulkChanges.cancel': () => ({ id: randomUUID() }),
  'bulkChanges.undo': () => ({ id: randomUUID() }),
  'collections.owing': () => ({ page: 1, show: 'late' }),
  'collections.account': ({ contactId }) => ({ contactId }),
  'collections.addCharge': ({ contactId }) => ({
    contactId,
    description: 'Rhinoplasty, deposit',
    amountCents: 50_000,
    dueOn: '2026-12-01',
    isBeforeSurgery: true,
    plan: [{ dueOn: '2026-12-01', amountCents: 50_000 }],
  }),
  'collections.setPlan': () => ({ id: randomUUID(), dueOn: '2026-12-01', isBeforeSurgery: false, plan: [] }),
  'collections.apply': () => ({ id: randomUUID(), receiptId: randomUUID(), amountCents: 100 }),
  'collections.applyAll': ({ contactId }) => ({ contactId, receiptId: randomUUID() }),
  'collections.release': () => ({ id: randomUUID(), receiptId: randomUUID(), amountCents: 100 }),
  'collections.writeOff': () => ({ id: randomUUID(), amountCents: 100, reason: 'Goodwill' }),
  'collections.void': () => ({ id: randomUUID(), reason: 'Charged twice' }),
  'collections.promise': ({ contactId }) => ({ contactId, amountCents: 100, dueOn: '2026-12-01', note: 'By phone' }),
  'collections.hold': ({ contactId }) => ({ contactId, isHeld: true, note: 'Until paid' }),
  'dashboard.get': () => ({}),
  'duplicates.list': () => ({ page: 1, limit: 25, show: 'open' }),
  'duplicates.similar': () => ({ firstName: 'Ana', lastName: 'Test', email: 'ana@elsewhere.example', phone: '416 555 0100' }),
  'duplicates.dismiss': ({ contactId, otherContactId }) => ({ firstId: contactId, secondId: otherContactId }),
  'duplicates.restore': ({ contactId, otherContactId }) => ({ firstId: contactId, secondId: otherContactId }),
  'imports.list': () => ({}),
  'imports.get': () => ({ id: randomUUID() }),
  'imports.check': () => ({ id: randomUUID(), columns: [{ field: 'fullName', dateOrder: null }] }),
  'imports.findings': () => ({ id: randomUUID(), kind: 'error', after: 0, limit: 50 }),
  'imports.run': () => ({ id: randomUUID(), onMatch: 'skip' }),
  'imports.cancel': () => ({ id: randomUUID() }),
  'imports.undo': () => ({ id: randomUUID() }),
  'imports.discard': () => ({ id: randomUUID() }),
  'interactions.list': ({ contactId }) => ({ contactId, kind: 'notes', limit: 50 }),
  'interactions.pinned': ({ contactId }) => ({ contactId }),
  'interactions.pin': ({ contactId, noteId }) => ({ contactId, id: noteId }),
  'interactions.unpin': ({ contactId, noteId }) => ({ contactId, id: noteId }),
  'interactions.create': ({ contactId }) => ({ contactId, type: 'note', description: 'Called back' }),
  'savedViews.list': () => ({}),
  'savedViews.get': () => ({ id: randomUUID() }),
  'savedViews.create': () => ({ name: 'Mine', isShared: true, list: { filter: 'owner:me' } }),
  'savedViews.update': () => ({ id: randomUUID(), name: 'Mine', isShared: true, list: { filter: 'owner:me' } }),
  'savedViews.delete': () => ({ id: randomUUID() }),
  'savedViews.restore': () => ({ id: randomUUID() }),
  'tasks.list': ({ contactId }) => ({
    whose: 'everyone',
    due: 'today',
    sort: 'priority',
    type: 'Call',
    priority: 'high',
    contactId,
    page: 1,
    limit: 50,
  }),
  'tasks.counts': ({ contactId }) => ({ whose: 'mine', contactId }),
  'tasks.week': () => ({ from: '2026-11-16' }),
  'tasks.ofContact': ({ contactId }) => ({ contactId }),
  'tasks.assignable': () => ({}),
  'tasks.get': ({ taskId }) => ({ id: taskId }),
  'tasks.create': ({ contactId, colleagueId }) => ({
    title: 'Call back',
    description: 'About the quote',
    type: 'Call',
    dueDate: '2199-01-31',
    hasTimeConstraint: true,
    dueTimeConstraint: '14:30',
    priority: 'high',
    status: 'pending',
    assigneeIds: [colleagueId],
    contactId,
  }),
  'tasks.update': ({ taskId }) => ({ id: taskId, version: 1, title: 'Call back' }),
  'tasks.delete': ({ taskId }) => ({ id: taskId }),
  'tasks.complete': ({ taskId }) => ({ id: taskId }),
  'tasks.snooze': ({ taskId }) => ({ id: taskId, minutes: 15 }),
  'tasks.changeMany': ({ taskId, colleagueId }) => ({
    changes: [{ id: taskId, status: 'completed', dueDate: '2199-01-31', assigneeIds: [colleagueId] }],
  }),
  'tasks.undo': () => ({ id: randomUUID() }),
  'notifications.unread': () => ({}),
  'notifications.list': () => ({ before: randomUUID(), limit: 30 }),
  'notifications.read': () => ({ id: randomUUID() }),
  'notifications.unreadAgain': () => ({ id: randomUUID() }),
  'notifications.readAll': () => ({}),
  'notifications.preferences': () => ({}),
  'notifications.setPreference': () => ({ notificationType: 'task_assigned', enabled: true }),
  'documents.list': ({ contactId }) => ({ contactId }),
  'documents.waiting': () => ({}),
  'documents.waitingCount': () => ({}),
  'documents.update': ({ documentId }) => ({
    id: documentId,
    version: 1,
    name: 'Scan.pdf',
    documentType: 'referral',
    description: 'From the family doctor',
    isShared: true,
  }),
  'documents.review': ({ documentId }) => ({ id: documentId, version: 1, decision: 'rejected', reason: 'It cannot be read' }),
  'documents.delete': ({ documentId }) => ({ id: documentId }),
  'documents.restore': ({ documentId }) => ({ id: documentId }),
  'pos.searchCustomers': () => ({ query: 'Ana', type: 'name' }),
  'pos.createCustomer': () => ({ firstName: 'Ana', lastName: 'Test', email: `${randomUUID()}@elsewhere.example` }),
  'pos.updateCustomerEmail': () => ({ customerId: '1', email: `${randomUUID()}@elsewhere.example` }),
  'pos.customerOfContact': ({ contactId }) => ({ contactId }),
  'pos.searchItems': () => ({ query: 'Rhinoplasty' }),
  'pos.accounts': () => ({}),
  'pos.taxCodes': () => ({}),
  'pos.classes': () => ({}),
  'pos.createReceipt': () => ({
    customerId: '1',
    customerName: 'Ana Test',
    classRef: null,
    lineItems: [
      {
        DetailType: 'SalesItemLineDetail',
        Amount: 10,
        Description: 'Gel',
        SalesItemLineDetail: { ItemRef: { value: '1', name: 'Gel' }, UnitPrice: 10, Qty: 1, TaxCodeRef: { value: 'TAX' } },
      },
    ],
    subtotal: 10,
    discountPercent: 0,
    discountAmount: 0,
    taxAmount: 1.3,
    total: 11.3,
    depositAccount: '1',
    memo: 'Thank you',
    paymentMethod: 'Visa',
    idempotencyKey: randomUUID(),
  }),
  'pos.pending': () => ({}),
  'pos.receipts': ({ contactId, colleagueId }) => ({ ...receiptFilters(contactId, colleagueId), limit: 50 }),
  'pos.receiptTotals': ({ contactId, colleagueId }) => receiptFilters(contactId, colleagueId),
  'pos.receiptChoices': () => ({}),
  'pos.receipt': () => ({ id: randomUUID() }),
  'pos.retry': () => ({ id: randomUUID() }),
  'pos.cancel': () => ({ id: randomUUID() }),
  'pos.findContacts': () => ({ email: 'ana@elsewhere.example' }),
  'pos.addContact': () => ({
    first_name: 'Ana',
    last_name: 'Test',
    email: `${randomUUID()}@elsewhere.example`,
    qb_customer_id: randomUUID(),
  }),
  'pos.logInteraction': ({ contactId }) => ({
    contact_id: contactId,
    type: 'sales_receipt',
    description: 'Sales receipt 1047',
    created_by: randomUUID(),
    qb_sales_receipt_id: '1',
    sales_receipt_data: {},
    payment_method: 'Visa',
    deposit_account: 'Moneris clearing',
  }),
  'quickbooks.status': () => ({}),
  'quickbooks.connect': () => ({}),
  'quickbooks.finish': () => ({ code: 'made-up', state: 'made-up', realmId: '1' }),
  'quickbooks.disconnect': () => ({}),
  'quickbooks.refresh': () => ({}),
  'portal.requestAccess': () => ({ email: `${randomUUID()}@elsewhere.example` }),
  'portal.verifyAccess': () => ({ email: `${randomUUID()}@elsewhere.example`, otp: '123456' }),
  'portal.fetchDocuments': ({ contactId }) => ({ contactId, sessionToken: 'made-up' }),
  'portal.signOut': () => ({ sessionToken: 'made-up' }),
  'leads.entries': ({ sourceId }) => ({ sourceId, status: 'completed' }),
}

const receiptFilters = (contactId: string, staffId: string) => ({
  from: '2026-11-01',
  to: '2026-11-30',
  method: 'Visa',
  accountId: '1',
  classId: '1',
  staffId,
  contactId,
  search: 'Ana',
  state: 'complete',
})

type Call = {
  name: ApiRoute
  method: string
  /** With its parameters in braces, below /api. */
  path: string
  /** The input's schema, if it takes one. */
  inputSchema: AnyContractProcedure['~orpc']['inputSchema']
  validInput: (made: OneOfEach) => Input
}

/** Every call of the contract. */
export const calls: Call[] = Object.entries(contract).flatMap(([feature, procedures]) =>
  Object.entries(procedures as Record<string, AnyContractProcedure>).map(([key, procedure]) => {
    const name = `${feature}.${key}` as ApiRoute
    const { route, inputSchema } = procedure['~orpc']
    return { name, method: route.method ?? 'POST', path: route.path ?? '', inputSchema, validInput: validInputs[name] }
  }),
)

/** How an input travels: in the path, in the query of a GET, else as a JSON body. `json` writes the body. */
export function encode({ method, path }: Pick<Call, 'method' | 'path'>, input: Input, json: (body: Input) => string = JSON.stringify) {
  const rest = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]))
  if (method === 'GET') return { path: `/api${filled}${query.size > 0 ? `?${query}` : ''}`, body: null }
  return { path: `/api${filled}`, body: Object.keys(rest).length > 0 ? json(rest) : null }
}
