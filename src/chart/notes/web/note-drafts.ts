import { ORPCError } from '@orpc/client'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { client, codeOf, messageOf, statusOf } from '../../../ui/client/api.ts'
import { type AutosavedView, AutosavedDraft, createOpenDrafts, type DraftRefusal } from '../../../ui/client/autosaved-draft.ts'
import { fieldErrorsOf } from '../../../ui/client/refusal.ts'
import { type NoteData, type NoteWords, plainAnswers, wordsOf } from './note-data.ts'

/** What the server knows besides the words. */
interface Rest {
  updatedAt: string
}
/** The note was discarded, or its patient deleted. */
type Ended = 'gone'
export type NoteDraft = AutosavedDraft<NoteWords, Rest, NoteData, Ended>
export type NoteDraftView = AutosavedView<NoteWords, Rest, NoteData, Ended>

/** Milliseconds after the last key. */
const pause = 1_000

/** In memory only, so that no clinical text is left in the browser (docs/decisions/clinical-notes.md). */
const drafts = createOpenDrafts<NoteDraft>({ endangered: ['waiting', 'saving', 'failed'] })

function refusalOf(error: unknown): DraftRefusal<NoteData, Ended> {
  const code = codeOf(error)
  // Changed in another window, taken over or signed: both texts are shown.
  if (error instanceof ORPCError && (code === 'CONFLICT' || code === 'NOT_AUTHOR' || code === 'SIGNED'))
    return { kind: 'conflict', theirs: (error.data as { current: NoteData }).current }
  if (code === 'NOT_FOUND') return { kind: 'gone' }
  const isLost = statusOf(error) === 0 || statusOf(error) >= 500
  return { kind: isLost ? 'lost' : 'refused', message: Object.values(fieldErrorsOf(error))[0] ?? messageOf(error) }
}

function openDraft(note: NoteData): NoteDraft {
  const known = drafts.get(note.id)
  if (known) return known
  const kept = { words: wordsOf(note), version: note.version, isTouched: false, updatedAt: note.updatedAt }
  const steps = {
    save: (id: string, words: NoteWords, version: number) =>
      client.notes.save({ id, version, ...words, answers: plainAnswers(words.answers) }),
    refusalOf,
    wordsOf,
    restOf: ({ updatedAt }: NoteData) => ({ updatedAt }),
  }
  return drafts.add(note.id, new AutosavedDraft(note.id, kept, steps, pause))
}

/** Forgets a draft that is signed or discarded. */
export function endNoteDraft(id: string): void {
  drafts.get(id)?.end()
  drafts.remove(id)
}

/** Saves what is left to save, then forgets it unless it is open again or unsaved. */
async function leaveDraft(id: string): Promise<void> {
  const draft = drafts.get(id)
  if (!draft) return
  if (!draft.isSaved) await draft.save()
  // One watcher is the collection's own.
  if (draft.isSaved && draft.watching === 1 && drafts.get(id) === draft) drafts.remove(id)
}

/** The draft of a note while it is open, with what was saved elsewhere. */
export function useNoteDraft(note: NoteData): { draft: NoteDraft; view: NoteDraftView } {
  const [draft] = useState(() => openDraft(note))
  const view = useSyncExternalStore(draft.subscribe, draft.view)
  useEffect(() => draft.adopt(note), [draft, note])
  useEffect(() => () => void leaveDraft(note.id), [note.id])
  return { draft, view }
}

/** Whether this page is writing the note. */
export const isNoteDraftOpen = (id: string): boolean => drafts.get(id) !== undefined

/** Whether this page has words of a note that are not on the server. */
export function hasUnsavedWords(id: string): boolean {
  const draft = drafts.get(id)
  return draft !== undefined && !draft.isSaved
}
