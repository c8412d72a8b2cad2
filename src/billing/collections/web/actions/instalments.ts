import { monthsLater } from '../../../../shared/zoned-time.ts'
import type { Instalment } from '../../rules.ts'

/** As the contract has it. */
export const maxInstalments = 60

/** Parts of an amount that differ by a cent at the most, the greater first, and sum to it. Fewer where a part would have no cent. */
export function splitCents(amountCents: number, count: number): number[] {
  const parts = Math.max(1, Math.min(count, amountCents))
  const least = Math.floor(amountCents / parts)
  const over = amountCents - least * parts
  return Array.from({ length: parts }, (_, index) => least + (index < over ? 1 : 0))
}

/** Equal instalments a month apart: of January 31, the next is due on the last of February, and the one after on March 31. */
export const instalmentsOf = (amountCents: number, count: number, firstDay: string): Instalment[] =>
  splitCents(amountCents, count).map((part, index) => ({ dueOn: monthsLater(firstDay, index), amountCents: part }))
