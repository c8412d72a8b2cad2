import { useState } from 'react'
import { Crop, Download, EllipsisVertical, Eye, EyeOff, History, ImageOff, PencilLine, Trash2 } from 'lucide-react'
import { client, messageOf } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { formatDateTime, formatFileSize } from '../../../ui/format.ts'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { ViewerDialog } from '../../../ui/viewer/ViewerDialog.tsx'
import { fileNameOf, views } from '../rules.ts'
import { Layers } from './markup/Layers.tsx'
import { useLayers } from './markup/useLayers.ts'
import {
  type OriginalDialogCode,
  type OutsideOfPhoto,
  type PhotoData,
  photoUrl,
  type SeriesData,
  titleOf,
  viewOptions,
} from './photo-data.ts'
import { PhotoFrame } from './PhotoFrame.tsx'

const AdjustView = lazyDialog(
  () => import('./adjust/AdjustView.tsx'),
  ({ onClose }) => onClose(),
)
const MarkupView = lazyDialog(
  () => import('./markup/MarkupView.tsx'),
  ({ onClose }) => onClose(),
)

interface PhotoViewerProps {
  photo: PhotoData
  series: SeriesData
  /** All photos in the order in which the arrow keys walk them. */
  all: readonly PhotoData[]
  /** Two identifiers of whom it shows. */
  patient: string
  nameOf: (id: string | null) => string | null
  /** Downloads the original. */
  OriginalDialog: OriginalDialogCode
  outside: OutsideOfPhoto
  onShow: (photo: PhotoData) => void
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** One photo, large, with its view, when and by whom it was taken. */
export default function PhotoViewer({
  photo,
  series,
  all,
  patient,
  nameOf,
  OriginalDialog,
  outside,
  onShow,
  onChanged,
  onClose,
}: PhotoViewerProps) {
  const clock = useClock()
  const may = usePermission()
  const [failed, setFailed] = useState<{ id: string; isLater: boolean } | null>(null)
  const [isDownloading, setDownloading] = useState(false)
  const [isMarking, setMarking] = useState(false)
  const [isAdjusting, setAdjusting] = useState(false)
  const [showsOriginal, setShowsOriginal] = useState(false)
  const [showsMarkup, setShowsMarkup] = useState(true)
  const [removed, setRemoved] = useState<string | null>(null)
  const layers = useLayers(photo.id, removed !== photo.id).data ?? []
  const place = all.findIndex(({ id }) => id === photo.id)
  const [previous, next] = [all[place - 1], all[place + 1]]
  const taken = [formatDateTime(photo.takenAt, clock), nameOf(photo.takenBy)].filter(Boolean).join(' by ')

  async function setView(view: PhotoData['view'] | null) {
    if (view === null || view === photo.view) return
    try {
      await client.photos.change({ id: photo.id, view })
      await onChanged()
    } catch (error) {
      toast.error('The view was not changed', messageOf(error))
    }
  }
  async function remove() {
    setRemoved(photo.id)
    try {
      await client.photos.delete({ id: photo.id })
      const after = next ?? previous
      await onChanged()
      if (after) onShow(after)
      else onClose()
      toast.undoable('Photo deleted', () => void restore())
    } catch (error) {
      setRemoved(null)
      toast.error('The photo was not deleted', messageOf(error))
    }
  }

  async function restore() {
    try {
      await client.photos.restore({ id: photo.id })
      setRemoved(null)
      await onChanged()
    } catch (error) {
      toast.error('The photo was not restored', messageOf(error))
    }
  }

  /** An image says only that it failed, so the server is asked why. */
  async function findReason({ id }: PhotoData) {
    const status = await fetch(photoUrl({ id }, 'screen')).then(
      (answer) => answer.status,
      () => 0,
    )
    setFailed({ id, isLater: status === 0 || status === 429 || status === 503 })
  }

  const title = `${views[photo.view]}, ${titleOf(series)}`
  return (
    <ViewerDialog
      file={{
        name: fileNameOf({ ...photo, takenAt: new Date(photo.takenAt) }, clock.timeZone),
        title,
        facts: (
          <>
            {`${patient} · ${taken}`}
            <span className="max-md:hidden">{` · ${photo.width} × ${photo.height}, ${formatFileSize(photo.size)}`}</span>
            {outside.fact && ` · ${outside.fact}`}
          </>
        ),
        href: null,
      }}
      neighbours={{
        place: all.length > 1 ? `${place + 1} of ${all.length}` : null,
        onPrevious: previous ? () => onShow(previous) : null,
        onNext: next ? () => onShow(next) : null,
      }}
      onClose={onClose}
      actions={
        may('photos.change') && (
          <>
            {layers.length > 0 && (
              <IconButton
                label={showsMarkup ? 'Hide markup' : 'Show markup'}
                icon={showsMarkup ? <EyeOff /> : <Eye />}
                onClick={() => setShowsMarkup(!showsMarkup)}
              />
            )}
            <div className="flex items-center gap-2 max-md:order-1 max-md:w-full">
              <Select
                aria-label="View"
                className="min-w-0 max-md:flex-1 md:h-(--control) md:w-44"
                value={photo.view}
                options={viewOptions}
                onValueChange={(view) => void setView(view)}
              />
              <Button icon={<Crop />} onPointerEnter={AdjustView.prepare} onClick={() => setAdjusting(true)}>
                Adjust
              </Button>
              <Button icon={<PencilLine />} onPointerEnter={MarkupView.prepare} onClick={() => setMarking(true)}>
                Mark up
              </Button>
            </div>
            <div className="flex">
              <DropdownMenu
                trigger={<IconButton label="More actions" icon={<EllipsisVertical />} />}
                onOpenChange={(isOpen) => isOpen && OriginalDialog.prepare()}
              >
                {photo.adjustment && (
                  <MenuItem icon={<History />} onSelect={() => setShowsOriginal(!showsOriginal)}>
                    {showsOriginal ? 'Show adjusted' : 'Show unadjusted'}
                  </MenuItem>
                )}
                {outside.action && (
                  <MenuItem icon={outside.action.icon} onSelect={outside.action.onClick}>
                    {outside.action.label}
                  </MenuItem>
                )}
                <MenuItem icon={<Download />} onSelect={() => setDownloading(true)}>
                  Download original
                </MenuItem>
                <MenuSeparator />
                <MenuItem danger icon={<Trash2 />} onSelect={() => void remove()}>
                  Delete
                </MenuItem>
              </DropdownMenu>
            </div>
          </>
        )
      }
    >
      <div className="flex min-h-0 flex-1 items-center justify-center overflow-hidden bg-canvas md:h-[calc(100dvh-13rem)] md:flex-none">
        {failed?.id === photo.id ? (
          <EmptyState
            icon={<ImageOff />}
            title="This photo cannot be shown"
            actions={failed.isLater && <Button onClick={() => setFailed(null)}>Try again</Button>}
          >
            {failed.isLater
              ? 'The server is busy or cannot be reached. The photo is safe.'
              : 'Its file is missing or was altered on the server. Please tell your administrator.'}
          </EmptyState>
        ) : (
          <div className="size-full min-h-0 p-3">
            <PhotoFrame
              key={photo.id}
              photo={photo}
              file="screen"
              alt={title}
              adjustment={showsOriginal ? null : photo.adjustment}
              onError={() => void findReason(photo)}
            >
              {showsMarkup && <Layers layers={layers} size={photo} />}
            </PhotoFrame>
          </div>
        )}
      </div>
      {isDownloading && <OriginalDialog photo={photo} onClose={() => setDownloading(false)} />}
      {isAdjusting && (
        <AdjustView photo={photo} title={title} patient={patient} onChanged={onChanged} onClose={() => setAdjusting(false)} />
      )}
      {isMarking && (
        <MarkupView photo={photo} title={title} patient={patient} nameOf={nameOf} onChanged={onChanged} onClose={() => setMarking(false)} />
      )}
    </ViewerDialog>
  )
}
