import { type InferClientErrors, isDefinedError } from '@orpc/client'
import type { Client } from '../../../ui/client/api.ts'

export type HealthData = Awaited<ReturnType<Client['health']['get']>>
export type EntryData = HealthData['entries'][number]

/** The entry as it is now, if a change was refused because someone else changed it first. */
export function conflictOf(thrown: unknown): EntryData | null {
  const error = thrown as InferClientErrors<Client>['health']['changeEntry']
  return isDefinedError(error) && error.code === 'CONFLICT' ? error.data.current : null
}
