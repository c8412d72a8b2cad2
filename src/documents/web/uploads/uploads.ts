import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { orpc, queryClient } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { checkFile } from './check-file.ts'
import { type UploadTarget, sendFile } from './send-file.ts'
import { pageHold } from '../../../ui/uploads/hold-page.ts'
import { UploadQueue } from '../../../ui/uploads/upload-queue.ts'

/** Patients whose upload list is on screen. */
const visiblePatients = new Set<string>()

const queue = new UploadQueue<UploadTarget>({
  refuse: checkFile,
  send: sendFile,
  arrived: ({ given: { contactId } }) => queryClient.invalidateQueries({ queryKey: orpc.documents.list.key({ input: { contactId } }) }),
  failed({ file, given: { contactId }, reason }) {
    // Show a toast if the upload list is not on screen.
    if (!visiblePatients.has(contactId)) toast.error(`${file.name} was not uploaded`, reason ?? undefined)
  },
})

// Leaving the app would stop running uploads; navigating within it does not.
const hold = pageHold()
queue.subscribe(() => hold(queue.isBusy))

/** The uploads to one patient. */
export function useUploads(contactId: string) {
  const subscribe = useCallback(
    (onChange: () => void) => {
      visiblePatients.add(contactId)
      const unsubscribe = queue.subscribe(onChange)
      return () => {
        visiblePatients.delete(contactId)
        unsubscribe()
      }
    },
    [contactId],
  )
  const all = useSyncExternalStore(subscribe, queue.snapshot)
  return useMemo(
    () => ({
      uploads: all.filter(({ given }) => given.contactId === contactId),
      add: (files: readonly File[], given: Omit<UploadTarget, 'contactId'>) => queue.add(files, { ...given, contactId }),
      retry: (key: number) => queue.retry(key),
      remove: (key: number) => queue.remove(key),
    }),
    [all, contactId],
  )
}
