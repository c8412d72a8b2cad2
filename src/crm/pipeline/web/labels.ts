import type { FunnelStage } from '../contract.ts'

/** What a stage does, shown next to its name. Null for an ordinary open stage. */
export function meaningOf({ isInitial, kind }: FunnelStage): string | null {
  if (isInitial) return 'New leads start here'
  if (kind === 'won') return 'Surgery is booked'
  return kind === 'lost' ? 'Lost leads' : null
}
