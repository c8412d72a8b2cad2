import { Camera, Columns2, EllipsisVertical, Play, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { byId, type Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import { type ContactData, fullName } from '../../../../crm/contacts/web/embed/contact-data.ts'
import { client, messageOf } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { cn } from '../../../../ui/cn.ts'
import { BulkAction, BulkBar, BulkLine } from '../../../../ui/display/BulkBar.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { useFileDrop } from '../../../../ui/hooks/useFileDrop.ts'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { formatDay } from '../../../../ui/format.ts'
import { UploadLines } from '../../../../ui/uploads/UploadLines.tsx'
import { inShotOrder, type PhotoView, views } from '../../rules.ts'
import {
  type OriginalDialogCode,
  type OutsideOfPhoto,
  type PhotoAction,
  type PhotoData,
  placesOf,
  type SeriesData,
  type ShownPhoto,
  type StartedSeriesData,
  titleOf,
  toggled,
} from '../photo-data.ts'
import { SeriesSection } from '../SeriesSection.tsx'
import { StartedSeriesList } from '../StartedSeriesList.tsx'
import { usePhotoUploads } from '../uploads.ts'
import { usePhotos } from '../usePhotos.ts'

const SeriesDialog = lazyDialog(
  () => import('../SeriesDialog.tsx'),
  ({ onClose }) => onClose(),
)
const PhotoViewer = lazyDialog(
  () => import('../PhotoViewer.tsx'),
  ({ onClose }) => onClose(),
)
const CompareView = lazyDialog(
  () => import('../compare/CompareView.tsx'),
  ({ onClose }) => onClose(),
)
const SlideShow = lazyDialog(
  () => import('../SlideShow.tsx'),
  ({ onClose }) => onClose(),
)
const CaptureView = lazyDialog(
  () => import('../capture/CaptureView.tsx'),
  ({ onClose }) => onClose(),
)

type Filter = 'all' | 'pre' | 'post'
const filters: readonly { value: Filter; label: string }[] = [
  { value: 'all', label: 'All series' },
  { value: 'pre', label: 'Pre-op' },
  { value: 'post', label: 'Post-op' },
]
const isIn = (filter: Filter, { timePoint }: Pick<SeriesData, 'timePoint'>) =>
  filter === 'all' || (filter === 'pre') === (timePoint === 'pre_op')

/** What is open above the tab. */
type Opened =
  | { kind: 'series'; series: Omit<StartedSeriesData, 'takenViews'> | null; thenTake: boolean }
  | { kind: 'photo'; id: string }
  | { kind: 'compare'; ids: readonly [string, string] }
  | { kind: 'show'; ids: readonly string[] }
  | { kind: 'capture'; seriesId: string; view: PhotoView | null }

/** `name`: such as 'Front, Pre-op'. `size`: of the original, in bytes. */
export type NamedPhoto = { id: string; name: string; size: number }

/** What shows photos outside the chart adds here. Photos do not know their uses: they are given from above (photo-uses/web/embed/PhotosTab.tsx). */
interface OutsideTheChart {
  /** What a photo is used for; null: it is not used. */
  usesOf: (photoId: string) => string | null
  /** What two photos that are compared may be used for. `series`: all of the patient. */
  renderPair: (pair: readonly ShownPhoto[], series: readonly SeriesData[]) => ReactNode
  /** Actions for two photos that are compared: the selected ones. */
  pairActions: readonly PhotoAction[]
  /** Actions for the selected photos. */
  actionsFor: (selected: readonly NamedPhoto[]) => readonly PhotoAction[]
  /** An action that needs no selection. */
  always: ReactNode
  /** Downloads the photos of a series. Null: the role may not. */
  onDownload: ((photos: readonly NamedPhoto[]) => void) | null
  OriginalDialog: OriginalDialogCode
  /** Of one photo in the viewer: what is known about it outside the chart, and an action. */
  ofPhoto: (photoId: string, nameOf: (person: string | null) => string | null) => OutsideOfPhoto
  /** What these actions open. `nameOf`: of any photo of the patient. */
  renderDialogs: (selected: readonly NamedPhoto[], nameOf: (photoId: string) => string) => ReactNode
}

interface PatientPhotosProps {
  patient: ContactData
  directory: Directory
  outside: OutsideTheChart
}

/** The series of a patient, newest first. The front desk takes photos here without seeing any. */
export function PatientPhotos({ patient, directory, outside }: PatientPhotosProps) {
  const { photos, started, maySee, mayTake, refresh } = usePhotos(patient.id)
  const uploads = usePhotoUploads(patient.id)
  const [filter, setFilter] = useState<Filter>('all')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)

  const all = photos.data ?? []
  const shown = all.filter((series) => isIn(filter, series))
  const walk = shown.flatMap((series) => placesOf(series).flatMap((place) => ('photo' in place ? [place.photo] : [])))
  const compared = walk.filter(({ id }) => selected.has(id)).map(({ id }) => id)
  const nameOf = (id: string | null) => byId(directory.people, id)?.fullName ?? null
  const identifiers = [fullName(patient), patient.dateOfBirth && `born ${formatDay(patient.dateOfBirth)}`].filter(Boolean).join(', ')
  const heads: readonly Omit<StartedSeriesData, 'takenViews'>[] = maySee ? all : (started.data ?? [])

  const describePhoto = (id: string) => {
    const series = all.find(({ photos: own }) => own.some((photo) => photo.id === id))
    const photo = series?.photos.find((one) => one.id === id)
    return series && photo ? `${views[photo.view]}, ${titleOf(series)}` : 'A photo that was deleted'
  }
  const named = (ids: readonly string[]): NamedPhoto[] =>
    ids.flatMap((id) => walk.filter((photo) => photo.id === id).map(({ size }) => ({ id, size, name: describePhoto(id) })))
  const toggle = ({ id }: PhotoData) => setSelected((before) => toggled(before, id))
  /** Into the newest series, or a new one. */
  const take = () => {
    const [newest] = heads
    setOpened(newest ? { kind: 'capture', seriesId: newest.id, view: null } : { kind: 'series', series: null, thenTake: true })
  }
  async function deleteSeries(series: SeriesData) {
    try {
      await client.photos.deleteSeries({ id: series.id })
      await refresh()
      toast.success('Series deleted')
    } catch (error) {
      toast.error('The series was not deleted', messageOf(error))
    }
  }

  const query = maySee ? photos : started
  const startSeries = (
    <Button
      className="max-md:flex-1"
      onPointerEnter={SeriesDialog.prepare}
      onClick={() => setOpened({ kind: 'series', series: null, thenTake: false })}
    >
      Start series
    </Button>
  )
  const takePhotos = (
    <Button className="max-md:flex-1" variant="filled" icon={<Camera />} onPointerEnter={CaptureView.prepare} onClick={take}>
      Take photos
    </Button>
  )
  // Someone else may delete what is open here.
  const shownIds = opened && 'ids' in opened ? opened.ids : []
  const shownPhotos = shownIds.flatMap((id) =>
    all.flatMap((series) =>
      series.photos.filter((photo) => photo.id === id).map((photo) => ({ photo, title: titleOf(series), takenOn: series.takenOn })),
    ),
  )
  const actions: readonly PhotoAction[] = [
    ...outside.actionsFor(named(compared)),
    {
      label: 'Slide show',
      icon: <Play />,
      onPointerEnter: SlideShow.prepare,
      onClick: () => setOpened({ kind: 'show', ids: compared.toReversed() }),
    },
  ]
  const opens = opened?.kind === 'photo' ? walk.find(({ id }) => id === opened.id) : undefined
  return (
    <div className="flex flex-col">
      {heads.length > 0 && (
        <div className="flex min-h-13 flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-2 md:sticky md:top-0 md:z-(--z-sticky) md:px-6">
          {maySee && <SegmentedControl aria-label="Series" value={filter} onValueChange={setFilter} options={filters} />}
          <div className="ml-auto flex flex-wrap items-center justify-end gap-2 max-md:w-full">
            {outside.always}
            {mayTake && (
              <>
                {startSeries}
                {takePhotos}
              </>
            )}
          </div>
        </div>
      )}
      <div className={cn('px-4 md:px-6', compared.length > 0 && 'pb-20')}>
        {uploads.uploads.length > 0 && <UploadLines uploads={uploads.uploads} onRetry={uploads.retry} onRemove={uploads.remove} />}
        {query.error && !query.data ? (
          <ErrorState title="Couldn’t load the photos" onRetry={() => void query.refetch()} retrying={query.isFetching}>
            {messageOf(query.error)}
          </ErrorState>
        ) : query.isPending ? (
          <LoadingSeries />
        ) : heads.length === 0 ? (
          <EmptyState
            icon={<Camera />}
            title="No photos yet"
            actions={
              mayTake && (
                <>
                  {takePhotos}
                  {startSeries}
                </>
              )
            }
          >
            Start a series of standard views, such as pre-op. Photos go straight to the chart, never to the device’s gallery.
          </EmptyState>
        ) : !maySee ? (
          <StartedSeriesList series={started.data ?? []} onTake={(seriesId, view) => setOpened({ kind: 'capture', seriesId, view })} />
        ) : shown.length === 0 ? (
          <EmptyState
            icon={<Camera />}
            title={filter === 'pre' ? 'No pre-op series' : 'No post-op series'}
            actions={<Button onClick={() => setFilter('all')}>Show all series</Button>}
          />
        ) : (
          shown.map((series) => (
            <DropSection key={series.id} onFiles={(files) => void uploads.add(files, series)}>
              <SeriesSection
                series={series}
                facts={[byId(directory.procedures, series.procedureId)?.name, series.createdBy && nameOf(series.createdBy)]
                  .filter(Boolean)
                  .join(' · ')}
                selected={selected}
                usesOf={outside.usesOf}
                onOpen={({ id }) => setOpened({ kind: 'photo', id })}
                onSelect={toggle}
                onTake={(view) => setOpened({ kind: 'capture', seriesId: series.id, view })}
                onFiles={(files) => void uploads.add(files, series)}
                onEdit={() => setOpened({ kind: 'series', series, thenTake: false })}
                onDelete={() => void deleteSeries(series)}
                onDownload={
                  outside.onDownload && (() => outside.onDownload?.(named(inShotOrder(series.shotList, series.photos).map(({ id }) => id))))
                }
                onSlideShow={() => setOpened({ kind: 'show', ids: inShotOrder(series.shotList, series.photos).map(({ id }) => id) })}
              />
            </DropSection>
          ))
        )}
      </div>
      {compared.length > 0 && (
        <div className="sticky bottom-0 z-(--z-sticky) h-0">
          <BulkBar label="Actions for the selected photos">
            <BulkAction aria-label="Clear the selection" onClick={() => setSelected(new Set())}>
              <X />
            </BulkAction>
            <span className="flex-none pr-1 tabular-nums">{`${compared.length} selected`}</span>
            <BulkLine />
            {compared.length === 2 && (
              <BulkAction
                onPointerEnter={CompareView.prepare}
                onClick={() => setOpened({ kind: 'compare', ids: [compared[1]!, compared[0]!] })}
              >
                <Columns2 /> Compare
              </BulkAction>
            )}
            {actions.map(({ label, icon, ...handlers }, place) => (
              <BulkAction key={label} className={cn(place > 0 && 'max-md:hidden')} {...handlers}>
                {icon} {label}
              </BulkAction>
            ))}
            {actions.length > 1 && (
              <span className="md:hidden">
                <DropdownMenu
                  trigger={
                    <BulkAction aria-label="More actions">
                      <EllipsisVertical />
                    </BulkAction>
                  }
                >
                  {actions.slice(1).map(({ label, icon, onClick }) => (
                    <MenuItem key={label} icon={icon} onSelect={onClick}>
                      {label}
                    </MenuItem>
                  ))}
                </DropdownMenu>
              </span>
            )}
          </BulkBar>
        </div>
      )}
      {opened?.kind === 'series' && (
        <SeriesDialog
          contactId={patient.id}
          series={opened.series}
          suggestion={heads[0] ?? { shotList: 'face', procedureId: patient.procedureId }}
          procedures={directory.procedures}
          onClose={close}
          onSaved={(series) => {
            void refresh()
            setOpened(opened.thenTake ? { kind: 'capture', seriesId: series.id, view: null } : null)
          }}
        />
      )}
      {opens && (
        <PhotoViewer
          photo={opens}
          series={all.find(({ id }) => id === opens.seriesId)!}
          all={walk}
          patient={identifiers}
          nameOf={nameOf}
          OriginalDialog={outside.OriginalDialog}
          outside={outside.ofPhoto(opens.id, nameOf)}
          onShow={({ id }) => setOpened({ kind: 'photo', id })}
          onChanged={refresh}
          onClose={close}
        />
      )}
      {outside.renderDialogs(named(compared), describePhoto)}
      {opened?.kind === 'compare' && shownPhotos.length === 2 && (
        <CompareView
          photos={shownPhotos}
          patient={identifiers}
          about={outside.renderPair(shownPhotos, all)}
          actions={outside.pairActions}
          nameOf={nameOf}
          onClose={close}
        />
      )}
      {opened?.kind === 'show' && shownPhotos.length > 0 && <SlideShow photos={shownPhotos} onClose={close} />}
      {opened?.kind === 'capture' && heads.some(({ id }) => id === opened.seriesId) && (
        <CaptureView
          patient={{ id: patient.id, name: identifiers }}
          seriesId={opened.seriesId}
          firstView={opened.view}
          series={heads}
          earlier={all}
          onClose={close}
        />
      )}
    </div>
  )
}

/** Files may be dropped on a series. */
function DropSection({ onFiles, children }: { onFiles: (files: readonly File[]) => void; children: ReactNode }) {
  const { over, handlers } = useFileDrop(onFiles)
  return (
    <div {...handlers} className={over ? '-mx-2 rounded-md bg-selected px-2 outline-2 outline-accent outline-dashed' : undefined}>
      {children}
    </div>
  )
}

function LoadingSeries() {
  return (
    <div role="status" aria-label="Loading" className="py-4">
      <Skeleton className="h-4 w-60" />
      <div className="grid grid-cols-2 gap-3 pt-4 sm:grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))]">
        {Array.from({ length: 6 }, (_, place) => (
          <Skeleton key={place} className="aspect-4/5 h-auto w-full rounded-md" />
        ))}
      </div>
    </div>
  )
}
