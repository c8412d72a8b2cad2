import { maxReasonLength } from '../../../rules.ts'

/** One of the usual reasons and what was typed beside it as one text: 'Price: wants to save up first'. Null when neither was given. */
export function reasonOf(usual: string | null, typed: string): string | null {
  const words = typed.replaceAll('\0', '').trim().replace(/\s+/gu, ' ')
  const whole = usual === null || words === '' ? (usual ?? words) : `${usual}: ${words}`
  // Characters are counted as the contract does; half of one is not kept.
  return whole.slice(0, maxReasonLength).toWellFormed().replaceAll('\uFFFD', '').trim() || null
}
