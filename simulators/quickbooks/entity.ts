/** The simulator's data, in QuickBooks' terms. */

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

/** 'salesreceipt' and 'SalesReceipt' are SalesReceipt: addresses and queries may write it either way. */
export function findEntityType(name: string): EntityType | undefined {
  return entityTypes.find((type) => type.toLowerCase() === name.toLowerCase())
}

/** QuickBooks' clock stands in California. Fractions of a second are in the answers' `time` only. */
export function quickBooksTime(now: number, fraction = false): string {
  const text = new Date(now - 7 * 3_600_000).toISOString()
  return `${fraction ? text.slice(0, -1) : text.slice(0, 19)}-07:00`
}
