import { Download, EllipsisVertical, ImageUp, Pencil, Play, Printer, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { formatDay } from '../../../ui/format.ts'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import { inShotOrder, type PhotoView, shotLists, views } from '../rules.ts'
import { pdfUrl, type PhotoData, placesOf, progressOf, type SeriesData, titleOf } from './photo-data.ts'
import { MissingTile, PhotoTile } from './PhotoTile.tsx'
import { acceptedPhotos } from './uploads.ts'

interface SeriesSectionProps {
  series: SeriesData
  /** Who took it, and of which procedure, as far as that is known. */
  facts: string
  selected: ReadonlySet<string>
  usesOf: (photoId: string) => string | null
  onOpen: (photo: PhotoData) => void
  onSelect: (photo: PhotoData) => void
  onTake: (view: PhotoView) => void
  onFiles: (files: readonly File[]) => void
  onEdit: () => void
  onDelete: () => void
  onSlideShow: () => void
  /** Null: the role may not. */
  onDownload: (() => void) | null
}

/** A series: what and when it is, how complete, and its photos in the order of the shot list. */
export function SeriesSection({
  series,
  facts,
  selected,
  usesOf,
  onOpen,
  onSelect,
  onTake,
  onFiles,
  onEdit,
  onDelete,
  onSlideShow,
  onDownload,
}: SeriesSectionProps) {
  const input = useRef<HTMLInputElement>(null)
  const progress = progressOf(series)
  const title = titleOf(series)
  return (
    <section aria-label={`${title}, ${formatDay(series.takenOn)}`} className="border-b border-line py-4 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-3">
        <h3 className="text-title font-semibold">{title}</h3>
        <p className="text-sm text-fg-3">
          {[shotLists[series.shotList].name, formatDay(series.takenOn), facts].filter(Boolean).join(' · ')}
        </p>
        {progress &&
          (progress.taken < progress.of ? (
            <Badge tone="warning">{`${progress.taken} of ${progress.of} views`}</Badge>
          ) : (
            <Badge tone="success">Complete</Badge>
          ))}
        <div className="ml-auto flex items-center gap-1">
          <Button variant="quiet" icon={<ImageUp />} onClick={() => input.current?.click()}>
            Add files
          </Button>
          <DropdownMenu trigger={<IconButton label={`Actions for ${title}`} icon={<EllipsisVertical />} />}>
            <MenuItem icon={<Pencil />} onSelect={onEdit}>
              Edit series
            </MenuItem>
            {series.photos.length > 0 && (
              <>
                <MenuItem icon={<Play />} onSelect={onSlideShow}>
                  Slide show
                </MenuItem>
                <MenuItem
                  icon={<Printer />}
                  onSelect={() => window.open(pdfUrl(inShotOrder(series.shotList, series.photos)), '_blank', 'noreferrer')}
                >
                  Print series
                </MenuItem>
                {onDownload && (
                  <MenuItem icon={<Download />} onSelect={onDownload}>
                    Download series
                  </MenuItem>
                )}
              </>
            )}
            {series.photos.length === 0 && (
              <MenuItem icon={<Trash2 />} danger onSelect={onDelete}>
                Delete series
              </MenuItem>
            )}
          </DropdownMenu>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            accept={acceptedPhotos}
            aria-label={`Photos for ${title}`}
            onChange={({ target }) => {
              onFiles([...(target.files ?? [])])
              target.value = ''
            }}
          />
        </div>
      </div>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))]">
        {placesOf(series).map((place) =>
          'photo' in place ? (
            <PhotoTile
              key={place.photo.id}
              photo={place.photo}
              label={`${views[place.photo.view]}, ${title}`}
              isSelected={selected.has(place.photo.id)}
              uses={usesOf(place.photo.id)}
              onOpen={() => onOpen(place.photo)}
              onSelect={() => onSelect(place.photo)}
            />
          ) : (
            <MissingTile key={place.missing} view={place.missing} onTake={() => onTake(place.missing)} />
          ),
        )}
      </ul>
    </section>
  )
}
