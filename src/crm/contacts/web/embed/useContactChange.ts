import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { ContactData } from './contact-data.ts'
import type { Directory } from './directory.ts'
import { conflictOf, explainConflict } from './refusals.ts'

type Fields = Omit<Parameters<typeof client.contacts.update>[0], 'id' | 'version'>

interface Change {
  fields: Fields
  /** The version the change is based on. Default: the one the page shows now. */
  version?: number
  /** The values to show until the server responds. */
  expected: Partial<ContactData>
  /** The title of the success toast. `undo`: the fields to restore. */
  done: string
  failed: string
  undo?: Fields
  /** Shows the error at the field; without it, a toast does. */
  refused?: (error: unknown) => void
}

/** Undoes this change only, not later changes by someone else. */
const backTo = (fields: Fields, version: number): Change => ({
  fields,
  version,
  expected: {},
  done: 'Undone',
  failed: 'Couldn’t undo this',
})

/**
 * Changes a few fields on the patient page: optimistic, reverted on failure, and undoable. Never overwrites someone else's changes: the
 * page then shows those and who made them.
 */
export function useContactChange(contact: ContactData, { people }: Pick<Directory, 'people'>, onChanged: () => void) {
  const cache = useQueryClient()
  const clock = useClock()
  const key = orpc.contacts.get.queryKey({ input: { id: contact.id } })
  const update = useMutation({
    // Sequential, each based on the version of the previous one.
    scope: { id: contact.id },
    // Fails at once without a connection, instead of waiting silently.
    networkMode: 'always',
    mutationFn: ({ version, fields }: Pick<Change, 'version' | 'fields'>) =>
      client.contacts.update({ id: contact.id, version: version ?? cache.getQueryData(key)?.version ?? contact.version, ...fields }),
    onSuccess: (updated) => {
      cache.setQueryData(key, updated)
    },
  })

  return async function change(wanted: Change): Promise<boolean> {
    const { fields, version, expected, done, failed, undo, refused } = wanted
    await cache.cancelQueries({ queryKey: key })
    const before = cache.getQueryData(key)
    cache.setQueryData(key, (now) => now && { ...now, ...expected })
    try {
      const after = await update.mutateAsync({ fields, version })
      if (undo) toast.undoable(done, () => void change(backTo(undo, after.version)))
      else toast.success(done)
      return true
    } catch (error) {
      cache.setQueryData(key, before)
      const conflict = conflictOf(error)
      if (refused) refused(error)
      else if (conflict) toast.error(failed, explainConflict(conflict, { people }, clock))
      else toast.error(failed, messageOf(error), () => void change(wanted))
      return false
    } finally {
      onChanged()
    }
  }
}

export type ChangeContact = ReturnType<typeof useContactChange>
