import { contactFields } from '../../crm/contacts/contact-contract.ts'
import { futureDays } from '../../crm/contacts/rules.ts'
import { newMeasurement } from '../health/contract.ts'
import type { ChartField } from './definition-rules.ts'
import { type ReviewedColumn, roundedTo, splitPhone, targetOf, typedNumber } from './review-rules.ts'

/** What accepting an answer writes besides entries: a measurement, or fields of the patient. */
type Written = { measured: Partial<Record<'heightCm' | 'weightKg', number>> } | { columns: Partial<Record<ReviewedColumn, string | null>> }

/**
 * What a text writes to the chart, or why the chart does not take it; null for what becomes an entry. The page marks with it what the server
 * would refuse. `today`: at the practice.
 */
export function valueOf(field: ChartField, text: string, today: string): Written | { problem: string } | null {
  const target = targetOf(field)
  if (target.to === 'measurement') {
    const measured = { [target.field]: roundedTo(target.field, typedNumber(text)) }
    const checked = newMeasurement.safeParse({ ...measured, measuredOn: today })
    return checked.success ? { measured } : { problem: checked.error.issues[0]!.message }
  }
  if (target.to !== 'contact') return null
  const parts = field === 'emergency_contact' ? splitPhone(text) : { name: text, phone: null }
  const [first, second] = target.columns
  const checked = contactFields
    .partial()
    .safeParse({ [first]: parts.name, ...(second && parts.phone !== null && { [second]: parts.phone }) })
  if (!checked.success) return { problem: checked.error.issues[0]!.message }
  const future = Object.values(futureDays(checked.data, today))[0]
  return future ? { problem: future } : { columns: checked.data }
}
