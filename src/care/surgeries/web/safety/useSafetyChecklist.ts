import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { SafetyAnswer, SafetyPhase } from '../../safety-rules.ts'

export type SafetyChecklistData = Awaited<ReturnType<Client['safetyChecklists']['get']>>

/** Answers and closed phases are only added, so of two states of one day the one with more is the newer, whichever arrived last. */
function newerOf(before: SafetyChecklistData | undefined, after: SafetyChecklistData): SafetyChecklistData {
  const sizeOf = ({ answers, phases }: SafetyChecklistData) => answers.length + phases.filter(({ outcome }) => outcome !== null).length
  return before && before.day === after.day && sizeOf(before) > sizeOf(after) ? before : after
}

/** The safety checklist of a surgery and its actions. What several tablets answer arrives on each. */
export function useSafetyChecklist(surgeryId: string) {
  const cache = useQueryClient()
  const options = orpc.safetyChecklists.get.queryOptions({ input: { id: surgeryId } })
  const checklist = useQuery({
    ...options,
    staleTime: 0,
    structuralSharing: (before, after) => newerOf(before as SafetyChecklistData | undefined, after as SafetyChecklistData),
  })
  const [busy, setBusy] = useState<string | null>(null)
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.safetyChecklists.key() })
  useLive(['surgery'], (ids) => ids?.has(surgeryId) !== false && refresh(), { debounceMs: 100 })

  /** `what`: the item or action that waits. Returns whether it succeeded. */
  async function send(what: string, failed: string, work: () => Promise<SafetyChecklistData>): Promise<boolean> {
    setBusy(what)
    try {
      const after = await work()
      cache.setQueryData(options.queryKey, (before) => newerOf(before, after))
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
