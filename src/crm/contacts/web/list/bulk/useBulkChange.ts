import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../../../ui/client/api.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { awaitResult, stopAwaiting } from '../../embed/awaited-changes.ts'

type Input = Parameters<typeof client.bulkChanges.start>[0]
/** The requested change; instants are ISO strings. */
export type WantedChange = Input['change']
type Progress = Awaited<ReturnType<typeof client.bulkChanges.get>>
/** One of the user's own bulk changes: its progress and its action. */
export type MyChange = Awaited<ReturnType<typeof client.bulkChanges.current>>[number]
/** Any bulk change of the user; moves to another source or procedure are started in the settings. */
export type AnyBulkChange = WantedChange | MyChange['change']

/** The user's current bulk changes. Fetched by BulkChangeToasts, which is on every page and refreshes it on events. */
export const myChanges = orpc.bulkChanges.current.queryOptions({ staleTime: Number.POSITIVE_INFINITY })

export const isUnderWay = ({ status }: Progress): boolean => status === 'running' || status === 'undoing'

/** Whether one of the user's bulk changes is running. */
export const useIsChanging = (): boolean =>
  useQuery({ ...myChanges, enabled: false, select: (mine) => mine.some(isUnderWay) }).data ?? false

/** Starts, undoes and cancels a bulk change, one at a time. It continues when the user leaves the page: see BulkChangeToasts. */
export function useBulkChange() {
  const cache = useQueryClient()
  const { data = [] } = useQuery({ ...myChanges, enabled: false })

  /** Refetches once at the start, because the change may finish before the event subscription is active. */
  function follow(answer: Progress, change: AnyBulkChange) {
    const mine = { ...answer, change: change.kind === 'delete' ? { ...change, forGood: change.forGood ?? false } : change }
    awaitResult(mine.id)
    cache.setQueryData(myChanges.queryKey, (known = []) => [mine, ...known.filter(({ id }) => id !== mine.id)])
    void cache.invalidateQueries({ queryKey: myChanges.queryKey })
  }

  /** Starts a bulk change. Returns whether it was accepted. */
  async function start(input: Input): Promise<boolean> {
    awaitResult()
    try {
      const begun = await client.bulkChanges.start(input)
      stopAwaiting()
      follow(begun, input.change)
      return true
    } catch (error) {
      stopAwaiting()
      toast.error('Nothing was changed', messageOf(error), () => void start(input))
      return false
    }
  }

  /** Undoes a finished bulk change. */
  async function undo(id: string, change: AnyBulkChange): Promise<void> {
    try {
      follow(await client.bulkChanges.undo({ id }), change)
    } catch (error) {
      toast.error('Couldn’t undo this', messageOf(error), () => void undo(id, change))
    }
  }

  const underWay = data.find(isUnderWay) ?? null
  return {
    start,
    undo,
    underWay,
    cancel: () =>
      underWay &&
      void client.bulkChanges.cancel({ id: underWay.id }).catch((error: unknown) => toast.error('Still running', messageOf(error))),
  }
}
