import type { FunnelStage } from '../contract.ts'

/** What a stage means beside its name; null for one of those on the way. */
export function meaningOf({ isInitial, kind }: FunnelStage): string | null {
  if (isInitial) return 'New leads begin here'
  if (kind === 'won') return 'Surgery is booked'
  return kind === 'lost' ? 'Lost leads' : null
}
