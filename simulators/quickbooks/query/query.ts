/** Queries: which fields can be queried, how they compare, and pagination. */
import type { CompanyStore } from '../company-store.ts'
import { findEntityType, type Entity, type EntityType } from '../entity.ts'
import { type Condition, type Literal, parseQuery } from './query-parser.ts'
import { validationFault } from '../refusal.ts'

const people = ['Id', 'DisplayName', 'FullyQualifiedName', 'Title', 'GivenName', 'MiddleName', 'FamilyName', 'Suffix']
const named = ['Id', 'Name', 'FullyQualifiedName', 'Active', 'MetaData']
const transaction = [
  'Id',
  'DocNumber',
  'TxnDate',
  'TotalAmt',
  'Balance',
  'CustomerRef',
  'DepositToAccountRef',
  'PaymentMethodRef',
  'MetaData',
]

/** The queryable fields. As in QuickBooks, other fields are refused, not ignored. */
const queryable: Record<EntityType, readonly string[]> = {
  Customer: [...people, 'CompanyName', 'PrintOnCheckName', 'PrimaryEmailAddr', 'PrimaryPhone', 'Balance', 'Active', 'MetaData'],
  Item: [...named, 'Sku', 'Type', 'UnitPrice', 'Description'],
  Account: [...named, 'AccountType', 'AccountSubType', 'Classification', 'SubAccount', 'CurrentBalance'],
  Class: [...named, 'SubClass'],
  TaxCode: [...named, 'Description', 'Taxable', 'TaxGroup'],
  TaxRate: [...named, 'Description', 'RateValue'],
  PaymentMethod: [...named, 'Type'],
  SalesReceipt: transaction,
  RefundReceipt: transaction,
  Deposit: ['Id', 'TxnDate', 'TotalAmt', 'DepositToAccountRef', 'MetaData'],
  CompanyInfo: ['Id', 'CompanyName', 'LegalName', 'MetaData'],
  Preferences: ['Id', 'MetaData'],
}

/** @returns the `QueryResponse`, empty without matches. @throws Refusal for an invalid query, codes 4000 and 4001. */
export function runQuery(store: CompanyStore, text: string): Record<string, unknown> {
  const query = parseQuery(text)
  const type = findEntityType(query.entity)
  if (!type) throw invalid(`Invalid context declaration: ${query.entity}`)
  for (const { field } of [...query.where, ...query.order]) requireQueryable(type, field)

  const filtersByActive = query.where.some(({ field }) => field.toLowerCase() === 'active')
  const found = store
    .list(type)
    .filter((entity) => (filtersByActive || entity.Active !== false) && query.where.every((condition) => matches(entity, condition)))
  if (query.count) return { totalCount: found.length }

  const sorted = found.toSorted((a, b) => {
    for (const { field, descending } of query.order) {
      const order = compareForOrder(valueOf(a, field), valueOf(b, field))
      if (order !== 0) return descending ? -order : order
    }
    return Number(a.Id) - Number(b.Id)
  })
  const page = sorted.slice(query.start - 1, query.start - 1 + query.limit)
  return page.length > 0 ? { [type]: page, startPosition: query.start, maxResults: page.length } : {}
}

function requireQueryable(type: EntityType, field: string): void {
  const [root = ''] = field.toLowerCase().split('.')
  if (!queryable[type].some((name) => name.toLowerCase() === root)) throw invalid(`Property ${field} not found for Entity ${type}`)
}

function invalid(detail: string) {
  return validationFault(4001, `QueryValidationError: ${detail}`)
}

/** 'PrimaryEmailAddr' stands for its address and 'CustomerRef' for its id; 'Metadata.LastUpdatedTime' is a path. Ignores case. */
function valueOf(entity: Entity, field: string): string | number | boolean | undefined {
  let value: unknown = entity
  for (const step of field.toLowerCase().split('.')) value = memberOf(value, step)
  const plain = memberOf(value, 'address') ?? memberOf(value, 'value') ?? memberOf(value, 'freeformnumber') ?? value
  return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? plain : undefined
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1]
}

function matches(entity: Entity, { field, operator, values }: Condition): boolean {
  const value = valueOf(entity, field)
  if (value === undefined) return false
  return values.some((literal) => {
    if (operator === 'LIKE') return isLike(String(value), literal)
    const order = compare(value, literal.text, field)
    if (Number.isNaN(order)) return false
    if (operator === '=' || operator === 'IN') return order === 0
    if (operator === '<') return order < 0
    if (operator === '>') return order > 0
    return operator === '<=' ? order <= 0 : order >= 0
  })
}

/** @returns a sort order; NaN for values that cannot be compared. Text is compared without case. */
function compare(value: string | number | boolean, literal: string, field: string): number {
  if (typeof value === 'boolean') return String(value) === literal.toLowerCase() ? 0 : Number.NaN
  if (typeof value === 'number') return value - Number(literal)
  if (/time$/i.test(field)) return Date.parse(value) - Date.parse(literal)
  if (/^id$/i.test(field)) return Number(value) - Number(literal)
  const [a, b] = [value.toLowerCase(), literal.toLowerCase()]
  return a === b ? 0 : a < b ? -1 : 1
}

function isLike(value: string, { pattern }: Literal): boolean {
  const source = pattern.map((part) => (part === undefined ? '.*' : part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))).join('')
  return new RegExp(`^${source}$`, 'isu').test(value)
}

function compareForOrder(a: ReturnType<typeof valueOf>, b: ReturnType<typeof valueOf>): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a ?? '').localeCompare(String(b ?? ''), 'en')
}
