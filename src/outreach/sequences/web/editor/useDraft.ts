import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, codeOf, messageOf } from '../../../../ui/client/api.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { Definition } from '../../definition-contract.ts'
import { problemsOf } from '../draft.ts'
import { refreshSequences, type SequenceData } from '../sequence-data.ts'

/** The draft of a sequence: what is changed here and not saved yet, and saving it. */
export function useDraft(sequence: SequenceData) {
  const cache = useQueryClient()
  /** `version`: of what was read when the changes began. */
  const [edits, setEdits] = useState<{ draft: Definition; version: number } | null>(null)
  const [showsProblems, setShowsProblems] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [hasConflict, setConflict] = useState(false)
  const draft = edits?.draft ?? sequence.draft
  const isDirty = edits !== null && JSON.stringify(edits.draft) !== JSON.stringify(sequence.draft)
  const guard = useUnsavedGuard(() => isDirty)
  const problems = problemsOf(draft)

  const change = (work: (draft: Definition) => Definition) =>
    setEdits((before) => ({ draft: work(before?.draft ?? sequence.draft), version: before?.version ?? sequence.version }))
  const refresh = () => refreshSequences(cache)

  /** The version that was saved; null: it was not, and the page says why. */
  async function save(): Promise<number | null> {
    setShowsProblems(true)
    if (problems) {
      toast.error('Not saved yet', 'Correct the marked parts first.')
      return null
    }
    if (!edits || !isDirty) return sequence.version
    setSaving(true)
    setConflict(false)
    try {
      const { version } = await client.sequences.update({ id: sequence.id, version: edits.version, draft: edits.draft })
      await refresh()
      setEdits(null)
      setShowsProblems(false)
      return version
    } catch (error) {
      if (codeOf(error) === 'CHANGED_MEANWHILE') setConflict(true)
      else toast.error('The draft was not saved', messageOf(error))
      return null
    } finally {
      setSaving(false)
    }
  }

  return {
    draft,
    change,
    save,
    refresh,
    isDirty,
    isSaving,
    hasConflict,
    problems: showsProblems ? problems : null,
    dialog: guard.dialog,
    leave: guard.leave,
    async discard() {
      await refresh()
      setEdits(null)
      setConflict(false)
      setShowsProblems(false)
    },
  }
}
