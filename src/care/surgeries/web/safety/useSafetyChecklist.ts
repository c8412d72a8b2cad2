import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { SafetyAnswer, SafetyPhase } from '../../safety-rules.ts'

export type SafetyChecklistData = Awaited<ReturnType<Client['safetyChecklists']['get']>>

/** The safety checklist of a surgery and its actions. What several tablets answer arrives on each. */
export function useSafetyChecklist(surgeryId: string) {
  const cache = useQueryClient()
  const options = orpc.safetyChecklists.get.queryOptions({ input: { id: surgeryId } })
  const checklist = useQuery({ ...options, staleTime: 0 })
  const [busy, setBusy] = useState<string | null>(null)
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.safetyChecklists.key() })
  useLive(['surgery'], (ids) => ids?.has(surgeryId) !== false && refresh(), { debounceMs: 100 })

  /** `what`: the item or action that waits. Returns whether it succeeded. */
  async function send(what: string, failed: string, work: () => Promise<SafetyChecklistData>): Promise<boolean> {
    setBusy(what)
    try {
      const after = await work()
      // Answers are only added, so the longer list is the newer one.
      cache.setQueryData(options.queryKey, (before) => (before && before.answers.length > after.answers.length ? before : after))
      void cache.invalidateQueries({ queryKey: orpc.surgeries.key() })
      return true
    } catch (error) {
      toast.error(failed, messageOf(error))
      refresh()
      return false
    } finally {
      setBusy((now) => (now === what ? null : now))
    }
  }

  return {
    checklist,
    busy,
    answer: (item: string, answer: SafetyAnswer, note: string | null) =>
      send(item, 'The answer was not saved', () => client.safetyChecklists.answer({ id: surgeryId, item, answer, note })),
    confirm: (phase: SafetyPhase, { answers, identity }: SafetyChecklistData) =>
      send('confirm', 'The phase was not confirmed', () =>
        client.safetyChecklists.confirm({
          id: surgeryId,
          phase,
          identity: phase === 'sign_out' ? null : { name: identity.name, dateOfBirth: identity.dateOfBirth ?? '' },
          lastAnswerId: answers.at(-1)!.id,
        }),
      ),
    refresh,
  }
}
