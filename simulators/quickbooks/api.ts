/** The routes of the Accounting API. */
import type { CompanyStore } from './company-store.ts'
import { realmId } from './company/chart.ts'
import { saveCustomer } from './customers.ts'
import { createDeposit } from './sales/deposits.ts'
import { type EntityType, findEntityType, quickBooksTime } from './entity.ts'
import type { Grants } from './grants.ts'
import { type Call, parseJson, type Reply } from '../http.ts'
import { runQuery } from './query/query.ts'
import { forbidden, notFound, Refusal, unauthorized, validationFault } from './refusal.ts'
import { createSale, type SaleContext } from './sales/sales.ts'

type Company = { store: CompanyStore; grants: Grants; now: () => number }

/** Handles a call under /v3/company/{realmId}/. */
export function handleAccounting(call: Call, company: Company): Reply {
  try {
    authorize(call, company)
    return { status: 200, body: dispatch(call, company) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, body } = error.reply
    return { status, body: withTime(body, company.now()) }
  }
}

/** Adds the time at the end of the service's responses; those of the gateway contain it already. */
export function withTime(body: unknown, now: number): unknown {
  return typeof body === 'object' && body !== null && 'Fault' in body ? { ...body, time: quickBooksTime(now, true) } : body
}

/** The name under which `calls()` counts a call: createSalesReceipt, updateCustomer, readItem, queryAccount. */
export function nameOf(call: Call): string {
  const { resource, id } = partsOf(call)
  if (resource === 'query') return `query${findEntityType(/\bfrom\s+(\w+)/i.exec(queryText(call))?.[1] ?? '') ?? ''}`
  const type = findEntityType(resource)
  if (!type) return 'unknown'
  if (call.method !== 'POST' || id !== undefined) return `read${type}`
  return `${hasId(parseJson(call.body)) ? 'update' : 'create'}${type}`
}

function authorize(call: Call, { grants, now }: Company): void {
  const token = /^Bearer (\S+)$/i.exec(call.headers.authorization ?? '')?.[1]
  if (token === undefined) throw unauthorized(now(), 'AuthenticationFailed: the Authorization header holds no bearer token')
  if (!grants.isValid(token)) throw unauthorized(now())
  if (partsOf(call).realm !== realmId) throw forbidden(now())
}

function dispatch(call: Call, { store, now }: Company): unknown {
  const { resource, id } = partsOf(call)
  const time = quickBooksTime(now(), true)
  if (resource === 'query') return { QueryResponse: runQuery(store, queryText(call)), time }

  const type = findEntityType(resource)
  if (call.method === 'GET' && type) {
    // CompanyInfo is read by realm id, Preferences without an id.
    const entity = store.find(type, type === 'CompanyInfo' || type === 'Preferences' ? '1' : (id ?? ''))
    if (!entity) throw notFound()
    return { [type]: entity, time }
  }
  if (call.method === 'POST' && type && id === undefined) return write(type, call, store, now())
  throw unsupported(`${call.method} ${resource}`)
}

function write(type: EntityType, call: Call, store: CompanyStore, now: number): unknown {
  const requestId = call.query.get('requestid') ?? undefined
  const before = store.savedResponse(requestId)
  if (before) return before

  const body = parseJson(call.body)
  if (body === undefined) throw validationFault(2010, 'The request is no JSON')
  const operation = call.query.get('operation') ?? (hasId(body) ? 'update' : 'create')
  if (operation !== 'create' && !(type === 'Customer' && operation === 'update')) throw unsupported(`${operation} ${type}`)
  return save(type, body, { store, now, requestId, allowDuplicateNumber: call.query.get('include') === 'allowduplicatedocnum' })
}

/** Creates a record, or updates a customer. @returns the response body. @throws Refusal for what QuickBooks refuses. */
export function save(type: EntityType, body: unknown, context: SaleContext): Record<string, unknown> {
  if (type === 'Customer') return saveCustomer(context.store, body, context.requestId)
  if (type === 'SalesReceipt' || type === 'RefundReceipt') return createSale(type, body, context)
  if (type === 'Deposit') return createDeposit(body, context)
  throw unsupported(`create ${type}`)
}

function unsupported(operation: string): Refusal {
  return validationFault(500, `Operation ${operation} is not supported.`)
}

function partsOf(call: Call): { realm: string; resource: string; id: string | undefined } {
  const [realm = '', resource = '', id] = call.path.replace(/^\/v3\/company\//, '').split('/')
  return { realm, resource, id }
}

/** The query, from the URL or the body of a POST. */
function queryText(call: Call): string {
  return call.query.get('query') ?? call.body
}

function hasId(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'Id' in body
}
