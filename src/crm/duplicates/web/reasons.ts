import type { DuplicateReason } from '../contract.ts'

const words: Record<DuplicateReason, string> = { email: 'same email', phone: 'same phone', name: 'similar name' }

/** 'Same email and same phone' */
export function formatReasons(reasons: readonly DuplicateReason[]): string {
  const text = new Intl.ListFormat('en-CA', { type: 'conjunction' }).format(reasons.map((reason) => words[reason]))
  return text.charAt(0).toUpperCase() + text.slice(1)
}
