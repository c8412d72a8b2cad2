import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { usePages } from '../../../ui/client/usePages.ts'
import type { NoteData } from './note-data.ts'
import { isNoteDraftOpen } from './note-drafts.ts'

export function usePatientNotes(contactId: string) {
  const notes = usePages(orpc.notes.ofContact, { contactId })
  useLive(
    ['note'],
    (ids) => {
      if (ids?.has(contactId) !== false) void notes.list.refetch()
    },
    // Someone who writes saves each second, and each reading is in the audit log.
    { debounceMs: 3_000 },
  )
  return notes
}

export function useNote(id: string) {
  const note = useQuery(orpc.notes.get.queryOptions({ input: { id }, staleTime: 0 }))
  const contactId = note.data?.contactId
  useLive(
    ['note'],
    (ids) => {
      // What the writer of a draft has saved is on their page already, and each reading is in the audit log.
      const isSaved = contactId === undefined || (ids?.has(contactId) && !isNoteDraftOpen(id))
      if (ids === null || ids.has(id) || isSaved) void note.refetch()
    },
    { debounceMs: 300 },
  )
  return note
}

/** Shows a note as a call returned it. */
export function useShowNote(): (note: NoteData) => void {
  const cache = useQueryClient()
  return (note) => {
    cache.setQueryData(orpc.notes.get.queryKey({ input: { id: note.id } }), note)
    void cache.invalidateQueries({ queryKey: orpc.notes.ofContact.key() })
  }
}

/** Shows a note that was deleted nowhere any more. */
export function useForgetNote(): (id: string) => void {
  const cache = useQueryClient()
  return (id) => {
    cache.removeQueries({ queryKey: orpc.notes.get.key({ input: { id } }) })
    void cache.invalidateQueries({ queryKey: orpc.notes.ofContact.key() })
  }
}
