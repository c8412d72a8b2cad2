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
  /** The version that the writer had before them; unless given, the one that the page shows now. */
  version?: number
  /** What the page shows until the answer comes. */
  expected: Partial<ContactData>
  /** What happened, in words; `undo` brings the fields back to what they were. */
  done: string
  failed: string
  undo?: Fields
  /** Says what was wrong where it was written; without it a message does. */
  refused?: (error: unknown) => void
}

/** Undone is what this change did, not what someone else has done on top of it. */
const backTo = (fields: Fields, version: number): Change => ({
  fields,
  version,
  expected: {},
  done: 'Undone',
  failed: 'This was not undone',
})

/**
 * A change of a few fields right on the patient's page: it shows at once, is taken back when it fails, and can be undone. What someone else
 * changed in the meantime is not overwritten: the page then shows theirs and says whose it is.
 */
export function useContactChange(contact: ContactData, { people }: Pick<Directory, 'people'>, onChanged: () => void) {
  const cache = useQueryClient()
  const clock = useClock()
  const key = orpc.contacts.get.queryKey({ input: { id: contact.id } })
  const update = useMutation({
    // One after the other, each on top of the version that the one before made.
    scope: { id: contact.id },
    // Said at once when there is no connection, rather than waiting unseen for one.
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
