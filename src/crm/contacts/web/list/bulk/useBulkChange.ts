import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../../../ui/client/api.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { awaitResult, stopAwaiting } from '../../embed/awaited-changes.ts'

type Input = Parameters<typeof client.bulkChanges.start>[0]
/** What is to be done to each: instants are ISO strings. */
export type WantedChange = Input['change']
type Progress = Awaited<ReturnType<typeof client.bulkChanges.get>>
/** One of one's own changes: how far it has come, and what it does. */
export type MyChange = Awaited<ReturnType<typeof client.bulkChanges.current>>[number]
/** What one of one's own does; moves to another source or procedure are begun in the settings. */
export type MadeChange = WantedChange | MyChange['change']

/** Asked for by BulkNews, which stands on every page and is told when they move on. */
export const myChanges = orpc.bulkChanges.current.queryOptions({ staleTime: Number.POSITIVE_INFINITY })

export const isUnderWay = ({ status }: Progress): boolean => status === 'running' || status === 'undoing'

/** Whether one is under way. */
export const useIsChanging = (): boolean =>
  useQuery({ ...myChanges, enabled: false, select: (mine) => mine.some(isUnderWay) }).data ?? false

/** Starts a bulk change, takes one back and stops it. One at a time; it goes on and is followed wherever one goes in the meantime: see BulkNews. */
export function useBulkChange() {
  const cache = useQueryClient()
  const { data = [] } = useQuery({ ...myChanges, enabled: false })

  /** It may be over before it is listened to: so it is asked for once at the beginning, whatever is known. */
  function follow(answer: Progress, change: MadeChange) {
    const mine = { ...answer, change: change.kind === 'delete' ? { ...change, forGood: change.forGood ?? false } : change }
    awaitResult(mine.id)
    cache.setQueryData(myChanges.queryKey, (known = []) => [mine, ...known.filter(({ id }) => id !== mine.id)])
    void cache.invalidateQueries({ queryKey: myChanges.queryKey })
  }

  /** Whether it has begun. */
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

  /** Takes one back that is over. */
  async function undo(id: string, change: MadeChange): Promise<void> {
    try {
      follow(await client.bulkChanges.undo({ id }), change)
    } catch (error) {
      toast.error('This was not undone', messageOf(error), () => void undo(id, change))
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
