import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { refuse } from '../../kernel/refusal.ts'
import { listOf } from '../quickbooks/service.ts'
import type { PracticePart, PrepaidKind } from './rules.ts'

/** What is posted to the practice's liability, and, for goodwill, to its expense: an item in QuickBooks each, without tax. */
export interface PrepaidItems {
  items: Partial<Record<PrepaidKind | PracticePart, { id: string; name: string }>>
  taxCode: { id: string; name: string } | null
}

const settings = (env: Env): Record<PrepaidKind | PracticePart, string> => ({
  'gift-card': env.GIFT_CARD_ITEM,
  package: env.PACKAGE_ITEM,
  credit: env.STORE_CREDIT_ITEM,
  goodwill: env.GOODWILL_ITEM,
  fee: env.FINANCING_FEE_ITEM,
})

/** The items by their configured names; one that QuickBooks does not have is missing, and nothing of its kind can be sold. */
export async function prepaidItemsOf(db: Db, env: Env): Promise<PrepaidItems> {
  const [items, codes] = await Promise.all([listOf(db, 'item'), listOf(db, 'tax-code')])
  const named = (all: readonly { id: string; name: string }[], name: string) => {
    const found = all.find((one) => one.name === name)
    return found ? { id: found.id, name: found.name } : undefined
  }
  const found = Object.entries(settings(env)).flatMap(([kind, name]) => {
    const item = named(items, name)
    return item ? [[kind, item] as const] : []
  })
  return { items: Object.fromEntries(found), taxCode: named(codes, env.CARD_PAYMENT_TAX_CODE) ?? null }
}

/** The item of a kind with the tax code, or `NO_ITEM` with what an administrator has to add in QuickBooks. */
export function itemFor({ items, taxCode }: PrepaidItems, kind: PrepaidKind | PracticePart, env: Env) {
  const item = items[kind]
  if (!item) return refuse('NO_ITEM', undefined, `QuickBooks has no item “${settings(env)[kind]}”. Ask an administrator to add it.`)
  if (!taxCode) return refuse('NO_ITEM', undefined, `QuickBooks has no tax code “${env.CARD_PAYMENT_TAX_CODE}”`)
  return { itemId: item.id, itemName: item.name, taxCodeId: taxCode.id }
}

/** Whether an item stands for what is prepaid, or for what the practice bears, so that no package contains it. */
export const isPrepaidItem = ({ items }: PrepaidItems, itemId: string): boolean => Object.values(items).some(({ id }) => id === itemId)
