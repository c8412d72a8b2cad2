import type { ImportField } from './contract.ts'

/** The fields that the columns of one table can map to, and which are required. */
export interface ColumnRules {
  /** The label of every field, in the order in which they are offered. */
  labels: ReadonlyMap<ImportField, string>
  /** Fields whose values are dates, with or without a time. */
  dates: readonly ImportField[]
  /** Headers used by other software. The first one found in a file is used. */
  synonyms: Partial<Record<ImportField, readonly string[]>>
  /** The error message for a set of mapped fields; null if it is valid. */
  problem: (fields: ReadonlySet<ImportField>) => string | null
}

/** Normalizes a word: no case, accents or punctuation. */
export const normalizeWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
