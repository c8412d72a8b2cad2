import type { Person } from '../../../../platform/auth/people-contract.ts'
import type { FunnelStage } from '../../../pipeline/contract.ts'
import type { Procedure } from '../../../procedures/contract.ts'
import type { Tag } from '../../../tags/contract.ts'

interface Named {
  id: string
  name: string
}

/** The names for the ids in a contact. Each list is empty until loaded. */
export interface Directory {
  stages: readonly FunnelStage[]
  /** Active staff, without former staff. */
  people: readonly Person[]
  procedures: readonly Procedure[]
  sources: readonly (Named & { isActive?: boolean })[]
  tags: readonly Tag[]
}

/** The entry with this id, or null. */
export const byId = <Entry extends { id: string }>(entries: readonly Entry[], id: string | null): Entry | null =>
  id === null ? null : (entries.find((entry) => entry.id === id) ?? null)
