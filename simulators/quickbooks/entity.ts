/** The simulator's data in QuickBooks' format. */

export const entityTypes = [
  'Customer',
  'Item',
  'Account',
  'Class',
  'TaxCode',
  'TaxRate',
  'PaymentMethod',
  'SalesReceipt',
  'RefundReceipt',
  'Deposit',
  'CompanyInfo',
  'Preferences',
] as const
export type EntityType = (typeof entityTypes)[number]

/** A record as the API returns it. Its other fields depend on its type. */
export type Entity = {
  Id: string
  SyncToken: string
  domain: 'QBO'
  sparse: false
  MetaData: { CreateTime: string; LastUpdatedTime: string }
  Active?: boolean
  [field: string]: unknown
}

export type Reference = { value: string; name?: string }

/** Ignores case: URLs and queries may have 'salesreceipt' or 'SalesReceipt'. */
export function findEntityType(name: string): EntityType | undefined {
  return entityTypes.find((type) => type.toLowerCase() === name.toLowerCase())
}

/** Times have California's offset. Only the responses' `time` has fractions of a second. */
export function quickBooksTime(now: number, fraction = false): string {
  const text = new Date(now - 7 * 3_600_000).toISOString()
  return `${fraction ? text.slice(0, -1) : text.slice(0, 19)}-07:00`
}
