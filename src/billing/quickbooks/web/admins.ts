import type { Person } from '../../../platform/auth/people-contract.ts'

/** Names of administrators to ask: 'Ana Ng or Bo Li'. */
export function formatAdmins(people: readonly Person[]): string {
  const names = people.filter(({ role }) => role === 'admin').map(({ fullName }) => fullName)
  if (names.length === 0 || names.length > 3) return 'an administrator'
  return new Intl.ListFormat('en-CA', { type: 'disjunction' }).format(names)
}
