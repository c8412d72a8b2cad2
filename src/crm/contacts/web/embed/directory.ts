import type { Person } from '../../../../platform/auth/people-contract.ts'
import type { FunnelStage } from '../../../pipeline/contract.ts'
import type { Procedure } from '../../../procedures/contract.ts'
import type { Tag } from '../../../tags/contract.ts'

interface Named {
  id: string
  name: string
}

/** The names behind the ids that a contact carries. Each list is empty until it has arrived. */
export interface Directory {
  stages: readonly FunnelStage[]
  /** Active staff: someone who has left is not among them. */
  people: readonly Person[]
  procedures: readonly Procedure[]
  sources: readonly (Named & { isActive?: boolean })[]
  tags: readonly Tag[]
}

/** The entry with this id, if it is known. */
export const byId = <Entry extends { id: string }>(entries: readonly Entry[], id: string | null): Entry | null =>
  id === null ? null : (entries.find((entry) => entry.id === id) ?? null)
