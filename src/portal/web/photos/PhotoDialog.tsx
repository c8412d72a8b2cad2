import { Download } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { downloadBlob } from '../../../ui/client/download-blob.ts'
import { useTexts } from '../../../ui/patient/language.ts'
import { ErrorLine, PortalButton } from '../../../ui/patient/parts.tsx'
import { PhotoPager } from '../../../ui/patient/PhotoPager.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { isSessionOver } from '../calls.ts'
import { useOpener } from '../useOpener.ts'
import { PhotoImage } from './PhotoImage.tsx'
import { ownPhotoTexts } from './texts.ts'
import type { FileOf } from './useOwnPhotos.ts'

/** What is shown at once: one photo, or one before and one after. */
export interface Shown {
  key: string
  title: string
  photos: readonly { id: string; caption: string; name: string; fileName: string }[]
}

interface PhotoDialogProps {
  shown: Shown
  all: readonly Shown[]
  fileOf: FileOf
  onShow: (key: string) => void
  onClose: () => void
}

/** Photos, large, with the way to the next ones and a download of each. */
export default function PhotoDialog({ shown, all, fileOf, onShow, onClose }: PhotoDialogProps) {
  const t = useTexts(ownPhotoTexts)
  const frame = useTexts(frameTexts)
  const toOpener = useOpener()
  const [hasFailed, setFailed] = useState(false)
  const isPair = shown.photos.length > 1

  function show(place: number) {
    setFailed(false)
    onShow(all[place]!.key)
  }
  async function download(id: string, fileName: string) {
    setFailed(false)
    try {
      downloadBlob(await fileOf(id), fileName)
    } catch (error) {
      if (!isSessionOver(error)) setFailed(true)
    }
  }
  return (
    <Dialog
      onClose={onClose}
      onCloseAutoFocus={toOpener}
      title={<span className="[overflow-wrap:anywhere]">{shown.title}</span>}
      size={isPair ? 'lg' : 'viewer'}
      head={{ isRoomy: true, closeLabel: frame('close') }}
    >
      <DialogBody className="bg-subtle text-portal" tabIndex={0} aria-label={shown.title} role="region">
        <div className={cn('grid gap-4', isPair && 'md:grid-cols-2')}>
          {shown.photos.map(({ id, caption, name, fileName }) => (
            <figure key={id} className="flex min-w-0 flex-col">
              <PhotoImage
                id={id}
                alt={name}
                fileOf={fileOf}
                fit="contain"
                className={cn('rounded-md', isPair ? 'aspect-3/4 max-h-[calc(100dvh-20rem)] w-full' : 'h-[calc(100dvh-20rem)] min-h-60')}
              />
              <figcaption className="flex flex-wrap items-center justify-between gap-2 pt-3">
                <span className="min-w-0 [overflow-wrap:anywhere]">{caption}</span>
                <PortalButton
                  icon={<Download />}
                  aria-label={t('downloadName', { name })}
                  className="px-4"
                  onClick={() => void download(id, fileName)}
                >
                  {t('download')}
                </PortalButton>
              </figcaption>
            </figure>
          ))}
        </div>
        {hasFailed && <ErrorLine className="pt-3">{t('notDownloaded')}</ErrorLine>}
      </DialogBody>
      <PhotoPager place={all.findIndex(({ key }) => key === shown.key)} total={all.length} onShow={show} />
    </Dialog>
  )
}
