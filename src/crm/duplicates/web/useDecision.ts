import { useMutation } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { fullName } from '../../contacts/web/embed/contact-data.ts'
import type { Pair } from './PairRow.tsx'

interface DecisionOptions {
  /** Called when the server has accepted the decision. */
  onDecided: (pair: Pair) => void
  /** Called after every attempt. */
  refresh: () => void
}

/** Marks a pair as not duplicates, or returns it to the queue. */
export function useDecision({ onDecided, refresh }: DecisionOptions) {
  const dismiss = useMutation(orpc.duplicates.dismiss.mutationOptions())
  const restore = useMutation(orpc.duplicates.restore.mutationOptions())

  async function setDuplicate(pair: Pair, isDuplicate: boolean) {
    const input = { firstId: pair.first.id, secondId: pair.second.id }
    try {
      await (isDuplicate ? restore : dismiss).mutateAsync(input)
      onDecided(pair)
      const names = `${fullName(pair.first)} and ${fullName(pair.second)}`
      if (isDuplicate) toast.success(`${names} returned to the queue`)
      else toast.undoable(`${names} marked as not duplicates`, () => void setDuplicate(pair, true))
    } catch (error) {
      toast.error('Couldn’t save the decision', messageOf(error))
    } finally {
      refresh()
    }
  }

  return setDuplicate
}
