import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { sendBytes } from '../../../../ui/uploads/send-bytes.ts'
import { UploadQueue } from '../../../../ui/uploads/upload-queue.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { maxAttached } from '../../rules.ts'
import type { DraftFile } from './draft-store.ts'
import { keeperOf } from './draft-stores.ts'

export const formatMaxAttached = '18 MB'

interface Given {
  draftId: string
}

const watched = new Set<string>()

const queue = new UploadQueue<Given>({
  refuse: ({ size }) => {
    if (size === 0) return 'This file is empty'
    return size > maxAttached ? `The files are too large: ${formatMaxAttached} together at most` : null
  },
  async send(file, { draftId }, onProgress, signal) {
    const keeper = keeperOf(draftId)
    if (!keeper) return
    // The draft must exist before a file is added.
    if (keeper.view().version === 0 && !(await keeper.save())) throw new Error('The draft is not saved yet. Please try again.')
    const path = `/api/mailbox/drafts/${draftId}/files?name=${encodeURIComponent(file.name)}`
    keeper.addFile(await sendBytes<DraftFile>(path, file, onProgress, signal))
  },
  arrived: () => Promise.resolve(),
  failed({ file, given: { draftId }, reason }) {
    if (!watched.has(draftId)) toast.error(`${file.name} was not attached`, reason ?? undefined)
  },
})

queue.subscribe(() => {
  if (queue.isBusy) addEventListener('beforeunload', stay)
  else removeEventListener('beforeunload', stay)
})
function stay(event: BeforeUnloadEvent) {
  event.preventDefault()
}

/** Uploads in progress for one draft. */
export function useDraftUploads(draftId: string) {
  const subscribe = useCallback(
    (watch: () => void) => {
      watched.add(draftId)
      const leave = queue.subscribe(watch)
      return () => {
        watched.delete(draftId)
        leave()
      }
    },
    [draftId],
  )
  const all = useSyncExternalStore(subscribe, queue.snapshot)
  return useMemo(
    () => ({
      uploads: all.filter(({ given }) => given.draftId === draftId),
      add: (files: readonly File[]) => queue.add(files, { draftId }),
      retry: (key: number) => queue.retry(key),
      remove: (key: number) => queue.remove(key),
    }),
    [all, draftId],
  )
}
