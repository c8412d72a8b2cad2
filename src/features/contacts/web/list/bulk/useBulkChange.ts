import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { client, messageOf, orpc } from '../../../../../web/api.ts'
import { useLive } from '../../../../../web/live.ts'
import { formatCount } from '../../../../../web/ui/format.ts'
import { toast } from '../../../../../web/ui/toast.ts'

type Input = Parameters<typeof client.bulkChanges.start>[0]
/** What is to be done to each: instants are ISO strings. */
export type WantedChange = Input['change']
type Progress = Awaited<ReturnType<typeof client.bulkChanges.get>>
/** What is under way, and what to say of it: 'moved to Contacted'. */
interface Running {
  id: string
  isDeletion: boolean
  done: string
}

export const patients = (count: number): string => `${formatCount(count)} ${count === 1 ? 'patient' : 'patients'}`

/** Starts a bulk change and follows it by its events; says what came of it, with Undo. One at a time. */
export function useBulkChange(onDone: () => void) {
  const cache = useQueryClient()
  const [running, setRunning] = useState<Running | null>(null)
  // Asked for once at the beginning, whatever is known: it may be over before its events are listened to.
  const options = orpc.bulkChanges.get.queryOptions({ input: { id: running?.id ?? '' }, enabled: running !== null, staleTime: 0 })
  const { data: progress } = useQuery(options)

  useLive(['bulk-change'], (ids) => {
    if (running && (ids === null || ids.has(running.id))) void cache.invalidateQueries({ queryKey: options.queryKey })
  })

  /** What an answer says is known before the change is followed: the last one that was known would end it at once. */
  function follow(answer: Progress, isDeletion: boolean, done: string) {
    cache.setQueryData(orpc.bulkChanges.get.queryKey({ input: { id: answer.id } }), answer)
    setRunning({ id: answer.id, isDeletion, done })
  }

  async function start(input: Input, done: string): Promise<void> {
    try {
      follow(await client.bulkChanges.start(input), input.change.kind === 'delete', done)
    } catch (error) {
      toast.error('Nothing was changed', messageOf(error), () => void start(input, done))
    }
  }

  async function undo({ id, isDeletion, done }: Running): Promise<void> {
    try {
      follow(await client.bulkChanges.undo({ id }), isDeletion, done)
    } catch (error) {
      toast.error('This was not undone', messageOf(error), () => void undo({ id, isDeletion, done }))
    }
  }

  const finish = useEffectEvent((result: Progress, finished: Running) => {
    setRunning(null)
    onDone()
    void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
    tell(result, finished, () => void undo(finished))
  })
  useEffect(() => {
    if (running && progress?.id === running.id && progress.status !== 'running' && progress.status !== 'undoing') finish(progress, running)
  }, [progress, running])

  return {
    start,
    undo,
    /** What is under way, in a word. */
    doing: progress?.status === 'undoing' ? 'Undoing' : running?.isDeletion ? 'Deleting' : 'Changing',
    progress: running && progress?.id === running.id ? progress : null,
    cancel: () =>
      running && void client.bulkChanges.cancel({ id: running.id }).catch((error: unknown) => toast.error('It goes on', messageOf(error))),
  }
}

function tell({ status, changed, unchanged, undone, kept, canUndo }: Progress, { isDeletion, done }: Running, undo: () => void): void {
  if (status === 'undone') {
    const left = kept > 0 ? `${patients(kept)} had been changed since and stayed as they are.` : undefined
    toast.success(`Undone for ${patients(undone)}`, left)
  } else if (changed === 0)
    toast.info('Nothing to change', isDeletion ? 'They were gone already.' : `${patients(unchanged)} had it already.`)
  else {
    const title = `${patients(changed)} ${done}${status === 'cancelled' ? ', then stopped' : ''}`
    if (canUndo) toast.undoable(title, undo)
    else toast.success(title)
  }
}
