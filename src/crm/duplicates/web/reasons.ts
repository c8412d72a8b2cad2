import type { DuplicateReason } from '../contract.ts'

const labels: Record<DuplicateReason, string> = {
  email: 'same email',
  phone: 'same phone',
  name: 'similar name',
  birthDate: 'same birth date',
}

/** 'Same email and same phone' */
export function formatReasons(reasons: readonly DuplicateReason[]): string {
  const text = new Intl.ListFormat('en-CA', { type: 'conjunction' }).format(reasons.map((reason) => labels[reason]))
  return text.charAt(0).toUpperCase() + text.slice(1)
}
