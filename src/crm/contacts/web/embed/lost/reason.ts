import { maxReasonLength } from '../../../rules.ts'

/** Combines a common reason and the typed details: 'Price: wants to save up first'. Null if both are empty. */
export function reasonOf(common: string | null, typed: string): string | null {
  const words = typed.replaceAll('\0', '').trim().replace(/\s+/gu, ' ')
  const combined = common === null || words === '' ? (common ?? words) : `${common}: ${words}`
  // Length is counted as in the contract; a split surrogate pair is dropped.
  return combined.slice(0, maxReasonLength).toWellFormed().replaceAll('\uFFFD', '').trim() || null
}
