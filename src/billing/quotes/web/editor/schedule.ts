import { textToCents } from '../../../../shared/money.ts'
import type { Instalment } from '../../../collections/rules.ts'

/** An instalment being edited. */
export interface PartDraft {
  /** Identifies the instalment while editing. */
  key: string
  dueOn: string
  /** Empty: an equal share of what the others leave. The last one always takes the rest. */
  amount: string
  /** Empty: the default name. */
  name: string
}

export const newPart = (dueOn: string, amount = '', name = ''): PartDraft => ({ key: crypto.randomUUID(), dueOn, amount, name })

export interface Schedule {
  /** What the deposit leaves, in cents; negative: the deposit is more than the total. */
  restCents: number
  /** In the order of the fields; they sum to the rest, whatever was typed. */
  instalments: (Instalment & { name: string | null })[]
  /** Whether what was typed leaves nothing for the last instalment, or for an equal share. */
  isTooMuch: boolean
}

/** When a total is paid: the deposit, then the instalments. It always adds up, as the last instalment takes the rest. */
export function scheduleOf({ deposit, parts }: { deposit: string; parts: readonly PartDraft[] }, totalCents: number): Schedule {
  const restCents = totalCents - (textToCents(deposit) ?? 0)
  const typed = parts.map(({ amount }, index) => (index === parts.length - 1 ? null : (textToCents(amount) ?? null)))
  const left = restCents - typed.reduce<number>((sum, cents) => sum + (cents ?? 0), 0)
  const shares = typed.filter((cents) => cents === null).length
  const share = Math.floor(left / shares)
  const instalments = parts.map(({ dueOn, name }, index) => {
    const amountCents = index === parts.length - 1 ? left - share * (shares - 1) : (typed[index] ?? share)
    return { dueOn, amountCents, name: name.trim() || null }
  })
  return { restCents, instalments, isTooMuch: restCents > 0 && instalments.some(({ amountCents }) => amountCents <= 0) }
}
