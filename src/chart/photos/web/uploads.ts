import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { orpc, queryClient } from '../../../ui/client/api.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { formatFileSize } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { pageHold } from '../../../ui/uploads/hold-page.ts'
import { sendBytes } from '../../../ui/uploads/send-bytes.ts'
import { UploadQueue } from '../../../ui/uploads/upload-queue.ts'
import { photoMessages } from '../contract.ts'
import { isRawName, missingViews, photoLimit, type PhotoView } from '../rules.ts'
import type { SeriesData } from './photo-data.ts'
import { takenAtOf } from './taken-at.ts'

/** Where a photo goes. `id`: of the photo, made here, so that it is stored once however often it is sent. */
export type PhotoTarget = { id: string; contactId: string; seriesId: string; view: PhotoView; takenAt: string }

export const acceptedPhotos = '.jpg,.jpeg,.png,.heic,.heif,image/jpeg,image/png,image/heic'

/** Why a file is no photo that can be added. */
function refuse(file: File): string | null {
  if (isRawName(file.name)) return photoMessages.raw
  if (file.size === 0) return 'This file is empty'
  if (file.size > photoLimit) return `This photo is larger than ${formatFileSize(photoLimit)}`
  return /\.(jpe?g|jpe|jfif|png|hei[cf])$/i.test(file.name) ? null : photoMessages.kind
}

const queue = new UploadQueue<PhotoTarget>({
  refuse,
  send: (file, target, onProgress, signal) => sendBytes(uploadPath(file.name, target), file, onProgress, signal),
  arrived: ({ given: { contactId } }) => queryClient.invalidateQueries({ queryKey: orpc.photos.key({ input: { contactId } }) }),
  failed({ file, reason }) {
    toast.error(`${file.name} was not added`, reason ?? undefined)
  },
})

export function uploadPath(name: string, { id, seriesId, view, takenAt }: Omit<PhotoTarget, 'contactId'>): string {
  return `/api/photo-series/${seriesId}/photos?${new URLSearchParams({ id, view, takenAt, name })}`
}

// Leaving the app would stop running uploads; navigating within it does not.
const hold = pageHold()
queue.subscribe(() => hold(queue.isBusy))

/** The uploads to one patient. Files of several views take the missing ones in the order in which they were taken. */
export function usePhotoUploads(contactId: string) {
  const { timeZone } = usePractice()
  const subscribe = useCallback((onChange: () => void) => queue.subscribe(onChange), [])
  const all = useSyncExternalStore(subscribe, queue.snapshot)
  return useMemo(
    () => ({
      uploads: all.filter(({ given }) => given.contactId === contactId),
      async add(files: readonly File[], series: Pick<SeriesData, 'id' | 'shotList' | 'photos'>, first?: PhotoView) {
        const missing = missingViews(series.shotList, series.photos).filter((view) => view !== first)
        const free = first ? [first, ...missing] : missing
        const dated = await Promise.all(files.map(async (file) => ({ file, takenAt: await takenAtOf(file, timeZone) })))
        const sorted = dated.toSorted((a, b) => a.takenAt.getTime() - b.takenAt.getTime() || a.file.name.localeCompare(b.file.name))
        for (const { file, takenAt } of sorted) {
          // A file that is refused takes no view.
          const view = refuse(file) === null ? free.shift() : undefined
          const target = { contactId, seriesId: series.id, view: view ?? ('other' as const), takenAt: takenAt.toISOString() }
          queue.add([file], { id: crypto.randomUUID(), ...target })
        }
      },
      retry: (key: number) => queue.retry(key),
      remove: (key: number) => queue.remove(key),
    }),
    [all, contactId, timeZone],
  )
}
