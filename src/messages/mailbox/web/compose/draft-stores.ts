import { useSyncExternalStore } from 'react'
import { ORPCError } from '@orpc/client'
import { client, codeOf, messageOf, statusOf } from '../../../../ui/client/api.ts'
import { createOpenDrafts } from '../../../../ui/client/autosaved-draft.ts'
import { fieldErrorsOf } from '../../../../ui/client/refusal.ts'
import type { DraftData } from '../mailbox-data.ts'
import { DraftKeeper, type DraftView, type Kept, type KeeperSteps, type Refusal, wordsOf, type Words } from './draft-store.ts'
import { keepWords, keptIds, recallWords } from './stored-drafts.ts'

const watchers = new Set<() => void>()

const steps: KeeperSteps = {
  save: (id, words, version) => client.mailbox.saveDraft({ id, ...words, version }),
  refusalOf,
  keep: keepWords,
}

/** Open or unsaved drafts. What could not be saved exists only in the tab, and would be lost with it. */
const keepers = createOpenDrafts<DraftKeeper>({
  endangered: ['failed'],
  onChange() {
    unsaved = null
    for (const watch of watchers) watch()
  },
})

function refusalOf(error: unknown): Refusal {
  const code = codeOf(error)
  if (code === 'CONFLICT' && error instanceof ORPCError) return { kind: 'conflict', theirs: (error.data as { draft: DraftData }).draft }
  if (code === 'NOT_FOUND' || code === 'TAKEN') return { kind: 'gone' }
  if (code === 'SENDING') return { kind: 'sending' }
  const isLost = statusOf(error) === 0 || statusOf(error) >= 500
  return { kind: isLost ? 'lost' : 'refused', message: Object.values(fieldErrorsOf(error))[0] ?? messageOf(error) }
}

/** Starts a draft. It is saved once something was written. */
export function beginDraft(words: Words): string {
  const id = crypto.randomUUID()
  const kept: Kept = { words, files: [], version: 0, isTouched: false }
  keepWords(id, kept)
  keepers.add(id, new DraftKeeper(id, kept, steps))
  return id
}

/** A draft that is open or stored in the tab; null: request it from the server. */
export function keeperOf(id: string): DraftKeeper | null {
  const known = keepers.get(id)
  if (known) return known
  const kept = recallWords(id)
  if (!kept) return null
  const keeper = keepers.add(id, new DraftKeeper(id, kept, steps))
  if (kept.isTouched) void keeper.save()
  return keeper
}

/** A draft from the server. */
export function keeperFrom({ id, files, version, state, problem, ...rest }: DraftData): DraftKeeper {
  const known = keeperOf(id)
  if (known) return known
  return keepers.add(id, new DraftKeeper(id, { words: wordsOf(rest), files, version, isTouched: false }, steps, { state, problem }))
}

/** Closes a draft: an empty one is dropped, pending changes are still saved. */
export async function leaveDraft(id: string): Promise<void> {
  const keeper = keepers.get(id)
  if (!keeper) return
  const { isTouched, version } = keeper.view()
  if (!isTouched && version === 0) return discardKept(id)
  if (!keeper.isSaved) await keeper.save()
  // Reopened in the meantime, or still unsaved: it is kept. One watcher is this file's own.
  if (keeper.isSaved && keeper.watching === 1 && keepers.get(id) === keeper) {
    keepers.remove(id)
  }
}

/** It is sent or discarded. */
export function discardKept(id: string): void {
  keepers.get(id)?.end()
  keepWords(id, null)
  keepers.remove(id)
}

/** Applies other windows' saves to open drafts. */
export function adoptDrafts(drafts: readonly DraftData[]): void {
  for (const draft of drafts) keepers.get(draft.id)?.adopt(draft)
}

/** Drafts that exist only in the tab, or differ from the server's. */
export function useUnsavedDrafts(): readonly DraftView[] {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => (unsaved ??= findUnsaved()),
  )
}

let unsaved: readonly DraftView[] | null = null

function findUnsaved(): DraftView[] {
  return keptIds().flatMap((id) => {
    const view = keepers.get(id)?.view() ?? {
      id,
      ...recallWords(id)!,
      save: 'failed' as const,
      refusal: null,
      state: 'draft' as const,
      problem: null,
    }
    return view.isTouched ? [view] : []
  })
}
