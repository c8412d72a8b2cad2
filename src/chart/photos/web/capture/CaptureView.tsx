import { Camera, CameraOff, Check, CloudUpload, Compass, Ghost, Grid3x3, Images, Move, RotateCcw } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { client, messageOf } from '../../../../ui/client/api.ts'
import { useSession } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { Spinner } from '../../../../ui/display/Spinner.tsx'
import { FullScreen } from '../../../../ui/overlays/FullScreen.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { type PhotoView, shotLists, views } from '../../rules.ts'
import { photoUrl, type SeriesData, type StartedSeriesData, titleOf } from '../photo-data.ts'
import { BurstPicker } from './BurstPicker.tsx'
import { type Burst, burstLength, endBurst, takeBurst } from './burst.ts'
import { guideOf } from './guides.ts'
import { levelHint, useHold } from './level.ts'
import { dropShot, ofView, resumeShots, takeShot, useShots } from './shot-sender.ts'
import { grab, useCamera } from '../../../../ui/hooks/useCamera.ts'

interface CaptureViewProps {
  patient: { id: string; /** Two identifiers. */ name: string }
  seriesId: string
  firstView: PhotoView | null
  series: readonly Omit<StartedSeriesData, 'takenViews'>[]
  /** The patient's photos, newest series first; empty for those who see none. */
  earlier: readonly SeriesData[]
  onClose: () => void
}

/** Takes the views of a series one after the other, each over the earlier photo of the same view. */
export default function CaptureView({ patient, seriesId, firstView, series, earlier, onClose }: CaptureViewProps) {
  const may = usePermission()
  const head = series.find(({ id }) => id === seriesId)!
  const { shots, waiting } = useShots(seriesId)
  const list: readonly PhotoView[] = shotLists[head.shotList].views.length > 0 ? shotLists[head.shotList].views : ['other']
  const stored = earlier.find(({ id }) => id === seriesId)?.photos ?? []
  const isTaken = (view: PhotoView) => ofView(shots, view).length > 0 || stored.some((photo) => photo.view === view)
  const [chosen, setChosen] = useState<PhotoView | null>(firstView)
  const view = chosen ?? list.find((one) => !isTaken(one)) ?? list[0]!
  const [hasGrid, setGrid] = useState(true)
  const [opacity, setOpacity] = useState(40)
  const [isBusy, setBusy] = useState(false)
  const [isWarned, setWarned] = useState(false)
  const [isBurst, setBurstMode] = useState(false)
  const [burst, setBurst] = useState<Burst | null>(null)
  const { video, ...camera } = useCamera()
  const ghost = earlier.filter(({ id }) => id !== seriesId).flatMap(({ photos }) => photos.filter((photo) => photo.view === view))[0]
  const guide = ghost ? null : guideOf(head.shotList, view)
  const { hold, ask: askForLevel } = useHold()
  const hint = hold && levelHint(hold)
  const refused = shots.filter(({ state }) => state === 'refused')
  const last = shots.findLast(({ state }) => state !== 'refused')

  const takenBy = useSession().user?.id ?? ''
  // A browser that keeps nothing has nothing to resume.
  useEffect(() => void resumeShots(takenBy).catch(() => {}), [takenBy])

  async function shoot() {
    if (!video.current || isBusy || camera.state !== 'on') return
    setBusy(true)
    try {
      if (isBurst) setBurst(await takeBurst(video.current, view))
      else {
        const takenAt = new Date().toISOString()
        const picture = await grab(video.current)
        if (picture) await keep([picture], { view, takenAt })
      }
    } catch (error) {
      toast.error('The photo was not kept', error instanceof Error ? error.message : undefined)
    }
    setBusy(false)
  }
  /** Keeps pictures of the view that was shown when the shutter was pressed. */
  async function keep(pictures: readonly Blob[], taken: { view: PhotoView; takenAt: string }) {
    for (const picture of pictures) {
      const isKept = await takeShot({ takenBy, contactId: patient.id, seriesId, ...taken, picture })
      if (!isKept && !isWarned) toast.info('This browser keeps no photos', 'Leave this page open until nothing is waiting.')
      setWarned(!isKept)
    }
    const place = list.indexOf(taken.view)
    // On to the next missing view, from here.
    setChosen([...list.slice(place + 1), ...list.slice(0, place)].find((one) => !isTaken(one)) ?? taken.view)
  }
  // Nothing of a burst outlives the choice.
  useEffect(() => () => void (burst && endBurst(burst)), [burst])
  async function keepOfBurst(given: Burst, pictures: readonly Blob[]) {
    setBurst(null)
    try {
      await keep(pictures, given)
    } catch (error) {
      toast.error('The photo was not kept', error instanceof Error ? error.message : undefined)
    }
  }
  async function retake() {
    if (!last) return
    try {
      if (last.state === 'waiting') await dropShot(last.id)
      else {
        await client.photos.delete({ id: last.id })
        await dropShot(last.id)
      }
      setChosen(last.view)
    } catch (error) {
      toast.error('The last photo was not removed', messageOf(error))
    }
  }
  function onKeyDown(event: KeyboardEvent) {
    if (burst || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return
    const place = list.indexOf(view)
    const to = { ArrowLeft: list[place - 1], ArrowRight: list[place + 1] }[event.key]
    if (to) setChosen(to)
    else if (event.key === ' ' && !(event.target as HTMLElement).closest('button')) void shoot()
    else return
    event.preventDefault()
  }

  const canRetake = last !== undefined && (last.state === 'waiting' || may('photos.delete'))
  return (
    <FullScreen
      title={patient.name}
      description={`${titleOf(head)} · ${views[view]}, view ${list.indexOf(view) + 1} of ${list.length}`}
      // Closing leaves the choice of a burst first.
      onClose={burst ? () => setBurst(null) : onClose}
      onKeyDown={onKeyDown}
      hasShortTools
      tools={
        <span role="status" className="flex items-center gap-1.5 text-xs text-fg-2 empty:hidden">
          {waiting > 0 && (
            <>
              <CloudUpload aria-hidden="true" />
              <span>
                {waiting} <span className="max-md:sr-only">waiting</span>
              </span>
            </>
          )}
        </span>
      }
    >
      <div className="flex min-h-0 flex-1 flex-col">
        <div className="relative min-h-0 flex-1 overflow-hidden">
          <video
            ref={video}
            muted
            playsInline
            className={cn('absolute inset-0 size-full object-contain', camera.state !== 'on' && 'invisible')}
          />
          {camera.state === 'on' ? (
            <>
              {ghost && (
                <img
                  src={photoUrl(ghost, 'screen')}
                  alt=""
                  draggable={false}
                  style={{ opacity: opacity / 100 }}
                  // Without a network it may not load, and a broken picture would lie over the camera's.
                  onError={({ currentTarget }) => (currentTarget.hidden = true)}
                  key={ghost.id}
                  className="pointer-events-none absolute inset-0 size-full object-contain"
                />
              )}
              {hasGrid && (
                <div aria-hidden="true" className="pointer-events-none absolute inset-0">
                  {['top-1/3', 'top-2/3'].map((place) => (
                    <span key={place} className={`absolute inset-x-0 h-px bg-fg/40 ${place}`} />
                  ))}
                  {['left-1/3', 'left-2/3'].map((place) => (
                    <span key={place} className={`absolute inset-y-0 w-px bg-fg/40 ${place}`} />
                  ))}
                </div>
              )}
              {hasGrid && guide && (
                <svg
                  aria-hidden="true"
                  viewBox={guide.viewBox}
                  className={cn('pointer-events-none absolute inset-0 size-full p-6', guide.isMirrored && '-scale-x-100')}
                >
                  <path
                    d={guide.path}
                    fill="none"
                    strokeWidth="2"
                    strokeDasharray="8 6"
                    vectorEffect="non-scaling-stroke"
                    strokeLinecap="round"
                    strokeLinejoin="round"
                    className="stroke-accent"
                  />
                </svg>
              )}
              {hold && (
                <span
                  aria-hidden="true"
                  style={{ rotate: `${-hold.turn}deg` }}
                  className={cn(
                    'pointer-events-none absolute inset-x-0 bottom-8 mx-auto h-0.5 w-1/3 max-w-48 rounded-full',
                    hint ? 'bg-warning-fg' : 'bg-accent',
                  )}
                />
              )}
              <p
                role="status"
                className="pointer-events-none absolute top-4 left-1/2 flex w-max max-w-[calc(100%-2rem)] -translate-x-1/2 items-center gap-2 rounded-full bg-raised/85 px-3 py-2 text-sm text-fg empty:hidden"
              >
                {hint && (
                  <>
                    <Move aria-hidden="true" className="size-4" /> {hint}
                  </>
                )}
              </p>
              {ghost && (
                <label className="absolute top-1/2 right-3 flex -translate-y-1/2 flex-col items-center gap-2 rounded-full bg-raised/85 px-2 py-3">
                  <Ghost aria-hidden="true" className="size-5" />
                  <span className="sr-only">Earlier photo</span>
                  <input
                    type="range"
                    min={0}
                    max={90}
                    step={5}
                    value={opacity}
                    aria-valuetext={`${opacity}%`}
                    onChange={({ target }) => setOpacity(Number(target.value))}
                    className="h-36 w-6 accent-(--accent) [direction:rtl] [writing-mode:vertical-lr]"
                  />
                </label>
              )}
            </>
          ) : (
            <div className="absolute inset-0 flex items-center justify-center">
              {camera.state === 'starting' ? (
                <span role="status" aria-label="Starting the camera">
                  <Spinner className="size-6" />
                </span>
              ) : (
                <EmptyState
                  icon={<CameraOff />}
                  title={camera.state === 'denied' ? 'The camera is blocked' : 'No camera found'}
                  actions={<Button onClick={camera.retry}>Try again</Button>}
                >
                  {camera.state === 'denied'
                    ? 'Allow the camera for this page in the browser’s settings, at the left of the address.'
                    : 'Use a phone or tablet with a camera, over https. Photos of a camera can be added as files.'}
                </EmptyState>
              )}
            </div>
          )}
          {burst && <BurstPicker burst={burst} onKeep={(pictures) => void keepOfBurst(burst, pictures)} onDiscard={() => setBurst(null)} />}
        </div>
        <div className="flex-none px-4 pt-3 pb-4">
          <ul aria-label="Views" className="no-scrollbar flex gap-2 overflow-x-auto pb-1 md:justify-center">
            {list.map((one) => {
              const [shot] = ofView(shots, one)
              const kept = stored.find((photo) => photo.view === one)
              const picture = shot?.url ?? (kept && photoUrl(kept, 'thumbnail'))
              return (
                <li
                  key={one}
                  ref={(item) => {
                    if (one === view) item?.scrollIntoView({ block: 'nearest', inline: 'center' })
                  }}
                  className="w-18 flex-none"
                >
                  <button
                    type="button"
                    aria-current={one === view}
                    aria-label={`${views[one]}${isTaken(one) ? ', taken' : ''}`}
                    onClick={() => setChosen(one)}
                    className={cn(
                      'relative flex aspect-square w-full cursor-pointer items-center justify-center overflow-hidden rounded-md bg-hover text-fg-3',
                      one === view && 'outline-2 outline-offset-[-2px] outline-accent',
                    )}
                  >
                    {picture && <img src={picture} alt="" className="absolute inset-0 size-full object-cover opacity-60" />}
                    {isTaken(one) ? (
                      <Check aria-hidden="true" className="relative text-fg" />
                    ) : (
                      one === view && <Camera aria-hidden="true" />
                    )}
                  </button>
                  <p className={cn('truncate pt-1 text-center text-xs', one === view ? 'text-fg' : 'text-fg-3')}>{views[one]}</p>
                </li>
              )
            })}
          </ul>
          {refused.map(({ id, view: of, reason }) => (
            <p key={id} role="alert" className="flex items-center justify-center gap-2 pt-2 text-sm text-danger-fg">
              {`${views[of]} was not taken: ${reason}`}
              <Button size="sm" variant="quiet" onClick={() => void dropShot(id)}>
                Dismiss
              </Button>
            </p>
          ))}
          <div className="mx-auto grid max-w-100 grid-cols-[1fr_auto_1fr] items-center gap-4 pt-3">
            <div className="flex justify-between gap-3">
              <RoundButton label="Retake the last photo" disabled={!canRetake} onClick={() => void retake()}>
                <RotateCcw />
              </RoundButton>
              <RoundButton label={`Burst of ${burstLength}`} isPressed={isBurst} onClick={() => setBurstMode(!isBurst)}>
                <Images />
              </RoundButton>
            </div>
            <button
              type="button"
              aria-label={`Take ${views[view]}`}
              // While a photo is kept it stays enabled, because a disabled button loses the focus.
              disabled={camera.state !== 'on' || burst !== null}
              aria-busy={isBusy}
              onClick={() => void shoot()}
              className="size-18 cursor-pointer rounded-full border-4 border-fg bg-fg bg-clip-content p-1 disabled:opacity-40"
            />
            <div className="flex flex-row-reverse justify-between gap-3">
              <RoundButton label="Grid and outline" isPressed={hasGrid} onClick={() => setGrid(!hasGrid)}>
                <Grid3x3 />
              </RoundButton>
              {askForLevel && (
                <RoundButton label="Level" onClick={askForLevel}>
                  <Compass />
                </RoundButton>
              )}
            </div>
          </div>
          <p className="pt-3 text-center text-xs text-fg-3">Stored encrypted in the chart, never in this device’s gallery</p>
        </div>
      </div>
    </FullScreen>
  )
}

interface RoundButtonProps {
  label: string
  isPressed?: boolean
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

function RoundButton({ label, isPressed, disabled = false, onClick, children }: RoundButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      disabled={disabled}
      onClick={onClick}
      className="flex size-12 cursor-pointer items-center justify-center rounded-full bg-hover text-fg-2 hover:text-fg disabled:text-fg-disabled aria-pressed:text-accent [&>svg]:size-5"
    >
      {children}
    </button>
  )
}
