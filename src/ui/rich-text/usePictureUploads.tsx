import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { UploadLines } from '../uploads/UploadLines.tsx'
import { sendBytes } from '../uploads/send-bytes.ts'
import { UploadQueue } from '../uploads/upload-queue.ts'

/** Where the pictures of a text are stored, and from where they are shown. */
export interface Pictures {
  /** Takes a file by POST with its `name`. */
  uploadTo: string
  addressOf: (id: string) => string
  /** Bytes of one file. */
  maxSize: number
  /** Whether some are still being sent. */
  onBusy: (isBusy: boolean) => void
}

type Stored = { id: string; name: string; width: number }
type Shown = { id: string; alt: string; width: number }

/** Pixels: the column of an email. */
const maxWidth = 560

/** Uploads chosen pictures, and hands over each once it is stored. */
export function usePictureUploads(pictures: Pictures | undefined, isReady: boolean, onStored: (picture: Shown) => unknown) {
  const [stored, setStored] = useState<readonly Shown[]>([])
  const show = useEffectEvent(onStored)
  const busy = useEffectEvent((isBusy: boolean) => pictures?.onBusy(isBusy))
  const [queue] = useState(
    () =>
      new UploadQueue<null>({
        refuse: ({ type, size }) => {
          if (!type.startsWith('image/')) return 'This is not a picture. Attach other files as documents.'
          return size > (pictures?.maxSize ?? 0) ? 'This picture is too large' : null
        },
        async send(file, _, onProgress, signal) {
          if (!pictures) return
          const path = `${pictures.uploadTo}?name=${encodeURIComponent(file.name)}`
          const { id, name, width } = await sendBytes<Stored>(path, file, onProgress, signal)
          const picture = { id, alt: name.replace(/\.\w+$/, ''), width: Math.min(width, maxWidth) }
          setStored((before) => [...before, picture])
        },
        arrived: () => Promise.resolve(),
        failed: () => undefined,
      }),
  )
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const isBusy = uploads.some(({ state }) => state !== 'failed')
  useEffect(() => busy(isBusy), [isBusy])
  useEffect(() => {
    if (!isReady || stored.length === 0) return
    for (const picture of stored) show(picture)
    setStored([])
  }, [isReady, stored])
  return {
    add: (files: readonly File[]) => queue.add(files, null),
    lines: uploads.length > 0 && (
      <div className="px-4">
        <UploadLines uploads={uploads} onRetry={(key) => queue.retry(key)} onRemove={(key) => queue.remove(key)} />
      </div>
    ),
  }
}
