import { type InferClientErrors, isDefinedError } from '@orpc/client'
import type { QueryClient } from '@tanstack/react-query'
import { type Client, client, messageOf, orpc } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'

type Errors = InferClientErrors<Client>['contacts']

/** The conflicts in a refused undo; null for any other error. */
export function conflictsOf(thrown: unknown) {
  const error = thrown as Errors['undoMerge']
  return isDefinedError(error) && error.code === 'UNDO_CONFLICTS' ? error.data : null
}

export type UndoConflicts = NonNullable<ReturnType<typeof conflictsOf>>
export type Decisions = Record<string, 'keep' | 'restore'>

/** Undoes a merge and shows a toast. Returns the conflicts that must be decided first, if any. */
export async function undoMerge(
  cache: QueryClient,
  merge: { id: string; sourceName: string },
  decided?: { decisions: Decisions; version: number },
): Promise<UndoConflicts | null> {
  try {
    await client.contacts.undoMerge({ id: merge.id, ...decided })
    void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
    void cache.invalidateQueries({ queryKey: orpc.interactions.key() })
    toast.success(`Merge undone. ${merge.sourceName} was restored.`)
    return null
  } catch (error) {
    const conflicts = conflictsOf(error)
    if (!conflicts) toast.error('The merge was not undone', messageOf(error))
    return conflicts
  }
}
