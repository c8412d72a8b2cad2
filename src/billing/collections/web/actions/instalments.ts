import { monthsLater } from '../../../../shared/zoned-time.ts'
import type { Instalment } from '../../rules.ts'

/** Same limit as the contract. */
export const maxInstalments = 60

/** Splits an amount into parts that differ by at most a cent, larger first. Returns fewer parts if some would be 0. */
export function splitCents(amountCents: number, count: number): number[] {
  const parts = Math.max(1, Math.min(count, amountCents))
  const least = Math.floor(amountCents / parts)
  const over = amountCents - least * parts
  return Array.from({ length: parts }, (_, index) => least + (index < over ? 1 : 0))
}

/** Equal instalments a month apart. After January 31 comes the last day of February, then March 31. */
export const instalmentsOf = (amountCents: number, count: number, firstDay: string): Instalment[] =>
  splitCents(amountCents, count).map((part, index) => ({ dueOn: monthsLater(firstDay, index), amountCents: part }))
