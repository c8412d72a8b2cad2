import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { orpc, queryClient } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { refusalOf } from './check-file.ts'
import { type Filing, sendFile } from './send-file.ts'
import { UploadQueue } from '../../../ui/uploads/upload-queue.ts'

/** Patients whose uploads can be seen at the moment. */
const watched = new Set<string>()

const queue = new UploadQueue<Filing>({
  refuse: refusalOf,
  send: sendFile,
  arrived: ({ given: { contactId } }) => queryClient.invalidateQueries({ queryKey: orpc.documents.list.key({ input: { contactId } }) }),
  failed({ file, given: { contactId }, reason }) {
    // Where the list cannot be seen, nothing else would say so.
    if (!watched.has(contactId)) toast.error(`${file.name} was not uploaded`, reason ?? undefined)
  },
})

// Leaving the product would stop what is on its way; going to another of its pages does not.
queue.subscribe(() => {
  if (queue.isBusy) addEventListener('beforeunload', stay)
  else removeEventListener('beforeunload', stay)
})
function stay(event: BeforeUnloadEvent) {
  event.preventDefault()
}

/** The uploads to one patient. */
export function useUploads(contactId: string) {
  const subscribe = useCallback(
    (watch: () => void) => {
      watched.add(contactId)
      const leave = queue.subscribe(watch)
      return () => {
        watched.delete(contactId)
        leave()
      }
    },
    [contactId],
  )
  const all = useSyncExternalStore(subscribe, queue.snapshot)
  return useMemo(
    () => ({
      uploads: all.filter(({ given }) => given.contactId === contactId),
      add: (files: readonly File[], given: Omit<Filing, 'contactId'>) => queue.add(files, { ...given, contactId }),
      retry: (key: number) => queue.retry(key),
      remove: (key: number) => queue.remove(key),
    }),
    [all, contactId],
  )
}
