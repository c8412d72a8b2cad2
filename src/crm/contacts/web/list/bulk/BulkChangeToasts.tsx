import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { client, orpc } from '../../../../../ui/client/api.ts'
import { useLive } from '../../../../../ui/client/live.ts'
import { useClock } from '../../../../../ui/client/session.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { awaitResult, isAwaited, stopAwaiting, consumeInterrupted } from '../../embed/awaited-changes.ts'
import { formatDone, patients } from './bulk-labels.ts'
import { isUnderWay, type MyChange, myChanges, useBulkChange } from './useBulkChange.ts'

/** Milliseconds. Events of unknown changes may be the user's own from another tab; they are refetched at most this often. */
const unknownDebounce = 1000

/** On every staff page: shows the result of the user's bulk changes with Undo, also after navigation or a reload. */
export default function BulkChangeToasts() {
  const cache = useQueryClient()
  const clock = useClock()
  const { undo } = useBulkChange()
  const { data: mine } = useQuery(myChanges)
  const followed = useRef(new Map<string, MyChange>())

  const refresh = () => void cache.invalidateQueries({ queryKey: myChanges.queryKey })
  useLive(['bulk-change'], (ids) => {
    if (ids === null || mine?.some(({ id }) => ids.has(id))) refresh()
  })
  useLive(['bulk-change'], refresh, { debounceMs: unknownDebounce })

  const notify = useEffectEvent(async (over: MyChange) => {
    stopAwaiting(over.id)
    void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
    showResult(over, await formatDone(cache, over.change, clock), () => void undo(over.id, over.change))
  })
  /** A change that started long ago is no longer among the current ones when it finishes. */
  const fetchResult = useEffectEvent(async (gone: MyChange) => {
    const progress = await client.bulkChanges.get({ id: gone.id }).catch(() => null)
    if (progress) await notify({ ...progress, change: gone.change })
  })

  useEffect(() => {
    if (!mine) return
    const { current: known } = followed
    if (consumeInterrupted() && mine[0]) awaitResult(mine[0].id)
    for (const one of mine) {
      if (isUnderWay(one)) known.set(one.id, one)
      else if (known.delete(one.id) || isAwaited(one.id)) void notify(one)
    }
    for (const gone of [...known.values()].filter(({ id }) => !mine.some((one) => one.id === id))) {
      known.delete(gone.id)
      void fetchResult(gone)
    }
  }, [mine])

  return null
}

function showResult({ status, changed, unchanged, undone, kept, canUndo, change }: MyChange, done: string, undo: () => void): void {
  if (status === 'undone') {
    const left = kept > 0 ? `${patients(kept)} had been changed since and were left as they are.` : undefined
    toast.success(`Undone for ${patients(undone)}`, left)
  } else if (changed === 0)
    toast.info('Nothing to change', change.kind === 'delete' ? 'They were already deleted.' : `${patients(unchanged)} already had it.`)
  else {
    const title = `${patients(changed)} ${done}${status === 'cancelled' ? ', then stopped' : ''}`
    if (canUndo) toast.undoable(title, undo)
    else toast.success(title)
  }
}
