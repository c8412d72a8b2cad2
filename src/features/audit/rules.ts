import type { Role } from '../access/rules.ts'

export type AuditAction = 'viewed' | 'created' | 'changed' | 'deleted' | 'restored' | 'merged' | 'unmerged' | 'exported' | 'denied'

/** One line of the audit log. `contactIds`: every patient concerned. */
export type AuditEntry = {
  actorId: string | null
  actorRole: Role | 'system' | 'visitor' | 'patient'
  action: AuditAction
  kind: string
  contactIds: string[]
  before?: unknown
  after?: unknown
  requestId: string
  address: string | null
}

/** The fields of `after` that differ from `before`, each side by itself; for a change's audit row. */
export function difference<T extends Record<string, unknown>>(before: T, after: T): { before: Partial<T>; after: Partial<T> } {
  const changed = (Object.keys(after) as (keyof T)[]).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  const pick = (from: T) => Object.fromEntries(changed.map((key) => [key, from[key]])) as Partial<T>
  return { before: pick(before), after: pick(after) }
}
