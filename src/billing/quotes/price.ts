import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { defaultTaxCode, needsExemptReason } from '../pos/rules.ts'
import { taxCodesOf } from '../pos/service.ts'
import { type QuoteLine, quoteMessages, type QuoteTax } from './quote-contract.ts'
import type { Written } from './written-contract.ts'
import { planSumsTo, quoteTotals } from './rules.ts'

interface Priced {
  lines: QuoteLine[]
  taxes: QuoteTax[]
  subtotalCents: number
  discountPercent: number | null
  discountCents: number
  taxCents: number
  totalCents: number
}

type Asked = Pick<
  Written,
  'lines' | 'discountPercent' | 'discountCents' | 'depositCents' | 'instalments' | 'subtotalCents' | 'taxCents' | 'totalCents'
>

/**
 * Prices a quote from its lines and the known QuickBooks tax codes, like a receipt. Refused if it references unknown
 * objects, or if the confirmed totals differ from the computed ones.
 */
export async function priced(db: Db, env: Env, asked: Asked) {
  const { codes, practiceCode } = await taxCodesOf(db, env)
  const invalid: Record<string, string> = {}
  const lines = asked.lines.map((line, index) => {
    const code = line.taxCodeId === defaultTaxCode ? practiceCode : codes.find(({ id }) => id === line.taxCodeId)
    if (!code) invalid[`lines.${index}.taxCodeId`] = quoteMessages.unknownTaxCode
    else if (needsExemptReason(code.name) && !line.exemptReason) invalid[`lines.${index}.exemptReason`] = quoteMessages.exemptReason
    return { line, code: code ?? { id: '', name: '', rate: 0 } }
  })
  if (Object.keys(invalid).length > 0) return invalidReference(invalid)

  const totals = quoteTotals(
    lines.map(({ line, code }) => ({ unitPrice: line.unitPriceCents, quantity: line.quantity, taxCodeId: code.id, rate: code.rate })),
    asked,
  )
  if (asked.discountPercent === null && asked.discountCents > totals.subtotal) {
    return invalidReference({ discountCents: quoteMessages.discountTooMuch })
  }
  if (totals.subtotal === 0) return invalidReference({ lines: quoteMessages.atLeast })
  if (totals.total === 0) {
    return invalidReference({ [asked.discountPercent === null ? 'discountCents' : 'discountPercent']: quoteMessages.discountLeavesNothing })
  }
  const right = { subtotalCents: totals.subtotal, discountCents: totals.discount, taxCents: totals.tax, totalCents: totals.total }
  const differs = Object.entries(right).filter(([field, cents]) => asked[field as keyof typeof right] !== cents)
  if (differs.length > 0)
    return refuse('TOTALS_DIFFER', { fields: Object.fromEntries(differs.map(([field]) => [field, 'This is not what the lines come to'])) })
  if (!planSumsTo(asked, totals.total)) return invalidReference({ instalments: quoteMessages.plan })

  const names = new Map(lines.map(({ code }) => [code.id, code.name]))
  const result: Priced = {
    lines: lines.map(({ line, code }, index) => ({
      ...line,
      taxCodeId: code.id,
      taxCodeName: code.name,
      taxRate: code.rate,
      amountCents: totals.lines[index]!.amount,
      taxCents: totals.lines[index]!.tax,
      exemptReason: needsExemptReason(code.name) ? line.exemptReason : null,
    })),
    taxes: totals.taxes.map((tax) => ({ ...tax, name: names.get(tax.taxCodeId)! })),
    discountPercent: asked.discountPercent,
    ...right,
  }
  return result
}
