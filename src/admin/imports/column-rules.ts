import type { ImportField } from './contract.ts'

/** What the columns of one table may hold, and which of them it cannot do without. */
export interface ColumnRules {
  /** Every field that a column may hold, as people read it, in the order in which it is offered. */
  labels: ReadonlyMap<ImportField, string>
  /** Fields whose values are dates, with or without a time. */
  dates: readonly ImportField[]
  /** What other programs call the fields. The first that a file has is taken. */
  synonyms: Partial<Record<ImportField, readonly string[]>>
  /** What is missing of these fields, or one too many; null when they will do. */
  problem: (fields: ReadonlySet<ImportField>) => string | null
}

/** A word without case, accents and punctuation. */
export const plainWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
