/** Customers: names are unique, and an update must name the latest version. */
import { z } from 'zod'
import type { CompanyStore, Draft } from './company-store.ts'
import type { Entity } from './entity.ts'
import { businessFault, missing, notFound, validationFault } from './refusal.ts'
import { parseInput } from './parse-input.ts'

const text = (length: number) => z.string().trim().max(length)

const customerInput = z.looseObject({
  Id: z.string().optional(),
  SyncToken: z.union([z.string(), z.number()]).transform(String).optional(),
  sparse: z.union([z.boolean(), z.literal('true'), z.literal('false')]).optional(),
  DisplayName: text(500).optional(),
  Title: text(16).optional(),
  GivenName: text(100).optional(),
  MiddleName: text(100).optional(),
  FamilyName: text(100).optional(),
  Suffix: text(16).optional(),
  CompanyName: text(100).optional(),
  Notes: text(2000).optional(),
  PrimaryEmailAddr: z.looseObject({ Address: z.email().max(100).optional() }).optional(),
  PrimaryPhone: z.looseObject({ FreeFormNumber: text(30).optional() }).optional(),
  Active: z.boolean().optional(),
})

type Fields = Partial<z.output<typeof customerInput>>

/** Fields that QuickBooks sets itself are dropped from the input. */
const ownFields = ['Id', 'SyncToken', 'sparse', 'domain', 'MetaData', 'Balance', 'BalanceWithJobs', 'FullyQualifiedName']

/**
 * Creates a customer, or updates the one with the given Id: completely or, with `sparse`, only the given fields.
 *
 * @returns the response body. @throws Refusal for a name already in use (6240), a stale SyncToken (5010), an unknown Id (610) or invalid
 * fields.
 */
export function saveCustomer(store: CompanyStore, body: unknown, requestId?: string): Record<string, unknown> {
  const input = parseInput(customerInput, body)
  const given: Fields = Object.fromEntries(
    Object.entries(input).filter(([field, value]) => !ownFields.includes(field) && value !== undefined),
  )
  if (input.Id === undefined) return store.create('Customer', withDerivedNames(store, given), requestId)

  const before = store.find('Customer', input.Id)
  if (!before) throw notFound()
  if (input.SyncToken === undefined) throw missing('SyncToken')
  if (input.SyncToken !== before.SyncToken) {
    const detail = 'You and another user were working on this at the same time. They finished before you did, so your work was not saved.'
    throw validationFault(5010, `Stale Object Error : ${detail}`)
  }
  const sparse = input.sparse === true || input.sparse === 'true'
  const draft = withDerivedNames(store, sparse ? { ...before, ...given } : given, before)
  return store.update('Customer', before, draft, requestId)
}

/** Adds the names that QuickBooks derives. Deactivating a customer frees the name. */
function withDerivedNames(store: CompanyStore, fields: Fields, before?: Entity): Draft {
  const full = [fields.Title, fields.GivenName, fields.MiddleName, fields.FamilyName, fields.Suffix].filter(Boolean).join(' ')
  let name = fields.DisplayName || full
  if (name === '') throw missing('DisplayName')
  if (/[:\t\n]/.test(name)) throw businessFault('The name cannot contain a colon, a tab or a new line.')
  const active = fields.Active ?? true
  if (!active && before?.Active !== false) name = `${name} (deleted)`
  const namesake = store.findByKey('Customer', name)
  if (namesake && namesake.Id !== before?.Id) {
    const detail = 'Another customer, vendor or employee is already using this name. Please use a different name.'
    throw validationFault(6240, `The name supplied already exists. : ${detail}`)
  }
  return {
    Taxable: true,
    Job: false,
    BillWithParent: false,
    PreferredDeliveryMethod: 'None',
    CurrencyRef: { value: 'CAD', name: 'Canadian Dollar' },
    ...fields,
    DisplayName: name,
    FullyQualifiedName: name,
    PrintOnCheckName: fields.PrintOnCheckName ?? (fields.CompanyName || full || name),
    Active: active,
    Balance: 0,
    BalanceWithJobs: 0,
  }
}
