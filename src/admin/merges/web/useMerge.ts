import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { type ContactData, fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import { codeOf, messageOf, orpc } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { type MergeChoices, mergeFailed } from '../rules.ts'
import { undoMerge } from './undo.ts'

interface MergeOptions {
  target: ContactData
  source: ContactData
  /** True from submission on, unless it fails. */
  mergingRef: RefObject<boolean>
  /** Called when the displayed data is out of date. */
  onStale: () => void
}

/** Merges the source into the target, swaps the two, or leaves the page. */
export function useMerge({ target, source, mergingRef, onStale }: MergeOptions) {
  const navigate = useNavigate()
  const { from } = useSearch({ from: '/staff/contacts/$id/merge' })
  const cache = useQueryClient()
  const merge = useMutation(orpc.contacts.merge.mutationOptions())
  const swap = () =>
    void navigate({
      to: '/contacts/$id/merge',
      params: { id: source.id },
      search: { with: target.id, ...(from ? { from } : {}) },
      replace: true,
    })
  const cancel = () => void (from ? navigate({ to: '/contacts/duplicates' }) : navigate({ to: '/contacts/$id', params: { id: target.id } }))

  async function submit(choices: MergeChoices, keepAddresses: boolean) {
    if (mergingRef.current) return
    mergingRef.current = true
    const seen = { version: target.version, sourceVersion: source.version }
    try {
      const merged = await merge.mutateAsync({
        id: target.id,
        sourceId: source.id,
        ...seen,
        choices,
        keepAddresses,
      })
      if (from) await navigate({ to: '/contacts/duplicates', replace: true })
      else await navigate({ to: '/contacts/$id', params: { id: merged.id }, replace: true })
      cache.removeQueries({ queryKey: orpc.contacts.get.key({ input: { id: source.id } }) })
      void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
      void cache.invalidateQueries({ queryKey: orpc.duplicates.key() })
      void cache.invalidateQueries({ queryKey: orpc.interactions.key() })
      toast.undoable(`${fullName(source)} was merged into ${fullName(merged)}`, () => void undo(merged.mergeId))
    } catch (error) {
      mergingRef.current = false
      toast.error(mergeFailed, `${messageOf(error).replace(' Nothing was merged.', '')} Nothing was changed.`)
      if (codeOf(error) === 'CHANGED_SINCE') onStale()
    }
  }

  async function undo(id: string) {
    const conflicts = await undoMerge(cache, { id, sourceName: fullName(source) })
    if (conflicts)
      toast.error(
        'The merge was not undone',
        `Some data changed after the merge. Resolve it under “Merged patients” for ${fullName(target)}.`,
      )
  }

  return { isPending: merge.isPending, submit, swap, cancel }
}
