import { type InferClientErrors, isDefinedError } from '@orpc/client'
import type { QueryClient } from '@tanstack/react-query'
import { type Client, client, messageOf, orpc } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'

type Errors = InferClientErrors<Client>['contacts']

/** What an undo was refused with because something was changed since the merge. */
export function conflictsOf(thrown: unknown) {
  const error = thrown as Errors['undoMerge']
  return isDefinedError(error) && error.code === 'UNDO_CONFLICTS' ? error.data : null
}

export type UndoConflicts = NonNullable<ReturnType<typeof conflictsOf>>
export type Decisions = Record<string, 'keep' | 'restore'>

/** Takes a merge back and says so. What has to be decided first is answered. */
export async function undoMerge(
  cache: QueryClient,
  merge: { id: string; sourceName: string },
  decided?: { decisions: Decisions; version: number },
): Promise<UndoConflicts | null> {
  try {
    await client.contacts.undoMerge({ id: merge.id, ...decided })
    void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
    void cache.invalidateQueries({ queryKey: orpc.interactions.key() })
    toast.success(`The merge was undone. ${merge.sourceName} is back.`)
    return null
  } catch (error) {
    const conflicts = conflictsOf(error)
    if (!conflicts) toast.error('The merge was not undone', messageOf(error))
    return conflicts
  }
}
