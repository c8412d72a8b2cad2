import { ChevronsLeftRight, Link2, Minus, PanelRight, Plus, Printer, ScanLine } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState, type WheelEvent } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { cn } from '../../../../ui/cn.ts'
import { formatDay } from '../../../../ui/format.ts'
import { FullScreen } from '../../../../ui/overlays/FullScreen.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { views } from '../../rules.ts'
import { Layers } from '../markup/Layers.tsx'
import { type LayerData, useLayers } from '../markup/useLayers.ts'
import { pdfUrl, type PhotoAction, type ShownPhoto, toggled } from '../photo-data.ts'
import { PhotoFrame } from '../PhotoFrame.tsx'
import { PairLayers } from './PairLayers.tsx'
import { type Alignment, alignTo, fit, type Point, unaligned, unzoom, type Zoom, zoomAt } from './alignment.ts'

interface CompareViewProps {
  /** Two: the earlier one first. */
  photos: readonly ShownPhoto[]
  /** Two identifiers of whom they show. */
  patient: string
  /** What the pair may be used for, always in sight where there is room. */
  about: ReactNode
  /** Actions for the pair. */
  actions: readonly PhotoAction[]
  nameOf: (id: string | null) => string | null
  onClose: () => void
}

type Mode = 'slider' | 'sides' | 'overlay'
const modes: readonly { value: Mode; label: string }[] = [
  { value: 'slider', label: 'Slider' },
  { value: 'sides', label: 'Side by side' },
  { value: 'overlay', label: 'Overlay' },
]
/** By which a key moves the photos, in pixels, and the slider, in percent. */
const [keyStep, slideStep] = [40, 2]
const zoomStep = 1.25

/** Two photos compared: with a slider, side by side or one over the other. Both are magnified and moved together. */
export default function CompareView({ photos, patient, about, actions, nameOf, onClose }: CompareViewProps) {
  const [first, second] = photos as [ShownPhoto, ShownPhoto]
  const [mode, setMode] = useState<Mode>('slider')
  const [zoom, setZoom] = useState<Zoom>(fit)
  const [slide, setSlide] = useState(50)
  const [showsOriginal, setShowsOriginal] = useState(false)
  const [opacity, setOpacity] = useState(50)
  const [alignment, setAlignment] = useState<Alignment>(unaligned)
  /** The points chosen so far, of the first photo and then of the second; null while nothing is aligned. */
  const [points, setPoints] = useState<readonly Point[] | null>(null)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  /** Where there is no room beside the photos. */
  const [isPanelOpen, setPanelOpen] = useState(false)
  const layers = [useLayers(first.photo.id).data ?? [], useLayers(second.photo.id).data ?? []] as const
  const all = layers.flat()
  const stage = useRef<HTMLDivElement>(null)
  const drag = useRef<{ id: number; x: number; y: number } | null>(null)

  const isAligning = points !== null
  const shown = isAligning ? (points.length < 2 ? first : second) : null
  const centre = (): Point => {
    const { width = 0, height = 0 } = stage.current?.getBoundingClientRect() ?? {}
    return { x: mode === 'sides' ? width / 4 : width / 2, y: height / 2 }
  }
  const magnify = (factor: number) => setZoom((now) => zoomAt(now, factor, centre()))
  const move = (x: number, y: number) => setZoom((now) => (now.scale === 1 ? now : { ...now, x: now.x + x, y: now.y + y }))

  const toggle = (id: string) => setHidden((before) => toggled(before, id))

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return
    const actions: Record<string, () => void> = {
      '+': () => magnify(zoomStep),
      '=': () => magnify(zoomStep),
      '-': () => magnify(1 / zoomStep),
      '0': () => setZoom(fit),
      '1': () => setMode('slider'),
      '2': () => setMode('sides'),
      '3': () => setMode('overlay'),
      ArrowLeft: () => (zoom.scale === 1 ? setSlide((now) => Math.max(0, now - slideStep)) : move(keyStep, 0)),
      ArrowRight: () => (zoom.scale === 1 ? setSlide((now) => Math.min(100, now + slideStep)) : move(-keyStep, 0)),
      ArrowUp: () => move(0, keyStep),
      ArrowDown: () => move(0, -keyStep),
    }
    const act = actions[event.key]
    // The modes are a group of their own for the arrow keys.
    if (!act || (event.target as HTMLElement).closest('[role="group"]')) return
    event.preventDefault()
    act()
  }
  function pointIn(event: PointerEvent | WheelEvent): Point {
    const frame = (event.target as HTMLElement).closest('[data-frame]')?.getBoundingClientRect() ?? stage.current!.getBoundingClientRect()
    return { x: event.clientX - frame.left, y: event.clientY - frame.top }
  }
  function onPointerDown(event: PointerEvent) {
    if (isAligning) return choose(unzoom(zoom, pointIn(event)))
    if (event.target instanceof HTMLInputElement) return
    drag.current = { id: event.pointerId, x: event.clientX, y: event.clientY }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function onPointerMove(event: PointerEvent) {
    const from = drag.current
    if (from?.id !== event.pointerId) return
    drag.current = { ...from, x: event.clientX, y: event.clientY }
    move(event.clientX - from.x, event.clientY - from.y)
  }
  function choose(point: Point) {
    const chosen = [...(points ?? []), point]
    if (chosen.length < 4) return setPoints(chosen)
    const [a, b, c, d] = chosen as [Point, Point, Point, Point]
    const found = alignTo([a, b], [c, d])
    if (found) setAlignment(found)
    setPoints(null)
  }

  const frameStyle: CSSProperties = { transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`, transformOrigin: '0 0' }
  const alignedStyle: CSSProperties = {
    transform: `translate(${alignment.x}px, ${alignment.y}px) rotate(${alignment.turn}deg) scale(${alignment.scale})`,
    transformOrigin: '0 0',
  }
  const image = ({ photo, title }: ShownPhoto, markup: readonly LayerData[], style?: CSSProperties) => (
    <div style={style} className="absolute inset-0">
      <PhotoFrame photo={photo} file="screen" alt={`${views[photo.view]}, ${title}`} adjustment={showsOriginal ? null : photo.adjustment}>
        <Layers layers={markup.filter(({ id }) => !hidden.has(id))} size={photo} />
      </PhotoFrame>
    </div>
  )
  const firstImage = (
    <div style={frameStyle} className="absolute inset-0">
      {image(first, layers[0])}
    </div>
  )
  const secondImage = (
    <div style={frameStyle} className="absolute inset-0">
      {image(second, layers[1], isAligning ? undefined : alignedStyle)}
    </div>
  )
  const panel = (about || all.length > 0) && (
    <>
      {all.length > 0 && <PairLayers photos={photos} layers={layers} hidden={hidden} nameOf={nameOf} onToggle={toggle} />}
      {about}
    </>
  )
  const view =
    first.photo.view === second.photo.view ? views[first.photo.view] : `${views[first.photo.view]} and ${views[second.photo.view]}`
  return (
    <>
      <FullScreen
        title={patient}
        description={view}
        // Escape ends the aligning first.
        onClose={() => (isAligning ? setPoints(null) : onClose())}
        onKeyDown={onKeyDown}
        tools={
          <>
            <SegmentedControl aria-label="How the photos are shown" value={mode} onValueChange={setMode} options={modes} />
            {actions.map(({ label, icon, ...handlers }) => (
              <Button key={label} icon={icon} {...handlers}>
                <span className="max-md:sr-only">{label}</span>
              </Button>
            ))}
            <Button icon={<Printer />} asChild>
              <a href={pdfUrl([first.photo, second.photo])} target="_blank" rel="noreferrer">
                <span className="max-md:sr-only">Print</span>
              </a>
            </Button>
          </>
        }
      >
        <div className="flex min-h-0 flex-1">
          <div
            ref={stage}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={() => (drag.current = null)}
            onPointerCancel={() => (drag.current = null)}
            onWheel={(event) => {
              const at = pointIn(event)
              const factor = event.deltaY < 0 ? 1.1 : 1 / 1.1
              setZoom((now) => zoomAt(now, factor, at))
            }}
            className={cn(
              'relative flex min-h-0 min-w-0 flex-1 touch-none overflow-hidden',
              isAligning ? 'cursor-crosshair' : zoom.scale > 1 && 'cursor-grab active:cursor-grabbing',
            )}
          >
            {isAligning ? (
              <div data-frame className="relative min-w-0 flex-1 overflow-hidden">
                {shown === first ? firstImage : secondImage}
                {points.slice(shown === first ? 0 : 2).map(({ x, y }) => (
                  <span
                    key={`${x} ${y}`}
                    aria-hidden="true"
                    style={{ left: x * zoom.scale + zoom.x, top: y * zoom.scale + zoom.y }}
                    className="absolute size-3 -translate-1/2 rounded-full border-2 border-accent bg-canvas"
                  />
                ))}
              </div>
            ) : mode === 'sides' ? (
              <>
                <div data-frame className="relative min-w-0 flex-1 overflow-hidden border-r border-line">
                  {firstImage}
                  <Caption photo={first} isAlone />
                </div>
                <div data-frame className="relative min-w-0 flex-1 overflow-hidden">
                  {secondImage}
                  <Caption photo={second} isAlone />
                </div>
              </>
            ) : (
              <div data-frame className="relative min-w-0 flex-1 overflow-hidden">
                {mode === 'slider' ? (
                  <>
                    <div className="absolute inset-0">{secondImage}</div>
                    <div className="absolute inset-0" style={{ clipPath: `inset(0 ${100 - slide}% 0 0)` }}>
                      <div className="absolute inset-0 bg-canvas" />
                      {firstImage}
                    </div>
                    <Divider value={slide} onChange={setSlide} />
                  </>
                ) : (
                  <>
                    {firstImage}
                    <div className="absolute inset-0" style={{ opacity: opacity / 100 }}>
                      {secondImage}
                    </div>
                  </>
                )}
                <Caption photo={first} />
                <Caption photo={second} isRight />
              </div>
            )}
            {isAligning && (
              <p role="status" className="absolute top-3 left-1/2 -translate-x-1/2 rounded-md bg-raised px-3 py-1.5 text-sm shadow-md">
                {`${points.length + 1} of 4, ${shown!.title}: choose the ${points.length % 2 === 0 ? 'first' : 'second'} point, such as ${points.length % 2 === 0 ? 'the right' : 'the left'} eye`}
              </p>
            )}
          </div>
          {panel && (
            <aside className="flex w-72 flex-none flex-col gap-6 overflow-y-auto border-l border-line p-5 max-lg:hidden">{panel}</aside>
          )}
        </div>
        <footer className="relative flex min-h-14 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-2 md:px-4">
          <IconButton
            label="Smaller"
            keys="-"
            icon={<Minus />}
            variant="outlined"
            disabled={zoom.scale === 1}
            onClick={() => magnify(1 / zoomStep)}
          />
          <span className="min-w-12 text-center text-sm tabular-nums">{`${Math.round(zoom.scale * 100)}%`}</span>
          <IconButton
            label="Larger"
            keys="+"
            icon={<Plus />}
            variant="outlined"
            disabled={zoom.scale === 8}
            onClick={() => magnify(zoomStep)}
          />
          <Button
            variant="quiet"
            className={cn(zoom.scale === 1 && 'max-md:hidden')}
            disabled={zoom.scale === 1}
            onClick={() => setZoom(fit)}
          >
            Fit
          </Button>
          <span className="flex items-center gap-1.5 text-xs text-fg-3 max-md:hidden">
            <Link2 aria-hidden="true" /> Zoom and pan move both photos
          </span>
          {photos.some(({ photo }) => photo.adjustment) && (
            <Button variant="quiet" aria-pressed={showsOriginal} onClick={() => setShowsOriginal(!showsOriginal)}>
              {showsOriginal ? 'Show adjusted' : 'Original'}
            </Button>
          )}
          {panel && (
            <Button variant="quiet" className="lg:hidden" icon={<PanelRight />} onClick={() => setPanelOpen(true)}>
              Details
            </Button>
          )}
          {mode === 'overlay' && !isAligning && (
            <label className="flex items-center gap-2 text-sm text-fg-2 max-md:absolute max-md:inset-x-0 max-md:bottom-full max-md:h-11 max-md:justify-center max-md:bg-canvas/85">
              Later photo
              <input
                type="range"
                min={0}
                max={100}
                value={opacity}
                aria-valuetext={`${opacity}%`}
                onChange={({ target }) => setOpacity(Number(target.value))}
                className="w-32 accent-(--accent)"
              />
            </label>
          )}
          <span className="ml-auto flex items-center gap-2">
            {isAligning ? (
              <Button onClick={() => setPoints(null)}>Cancel aligning</Button>
            ) : (
              <>
                {alignment !== unaligned && (
                  <Button variant="quiet" onClick={() => setAlignment(unaligned)}>
                    Undo aligning
                  </Button>
                )}
                <Button icon={<ScanLine />} onClick={() => setPoints([])}>
                  Align
                </Button>
              </>
            )}
          </span>
        </footer>
      </FullScreen>
      {isPanelOpen && (
        <SideDrawer title="Details" onClose={() => setPanelOpen(false)} isReadOnly isDark>
          <div className="flex flex-col gap-6">{panel}</div>
        </SideDrawer>
      )}
    </>
  )
}

interface CaptionProps {
  photo: ShownPhoto
  isRight?: boolean
  /** No other caption is in its frame. */
  isAlone?: boolean
}

function Caption({ photo: { title, takenOn }, isRight = false, isAlone = false }: CaptionProps) {
  return (
    <p
      className={cn(
        'pointer-events-none absolute top-3 rounded-full bg-raised/85 px-3 py-1 text-xs font-medium max-md:rounded-md',
        isAlone ? 'max-w-[calc(100%-1.5rem)]' : 'max-md:max-w-[45%]',
        isRight ? 'right-3' : 'left-3',
      )}
    >
      {title}
      <span className="max-md:hidden"> · </span>
      <span className="whitespace-nowrap max-md:block">{formatDay(takenOn)}</span>
    </p>
  )
}

/** The line between the two photos: a slider over the whole frame, moved by its handle or the arrow keys. */
function Divider({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const isDragged = useRef(false)
  function toPointer(event: PointerEvent<HTMLElement>) {
    const frame = event.currentTarget.closest('[data-frame]')!.getBoundingClientRect()
    onChange(Math.min(100, Math.max(0, ((event.clientX - frame.left) / frame.width) * 100)))
  }
  return (
    <div style={{ left: `${value}%` }} className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-fg">
      <span
        role="slider"
        aria-label="Line between the photos"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(value)}
        tabIndex={0}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -slideStep, ArrowRight: slideStep, Home: -100, End: 100 }[event.key]
          if (by === undefined) return
          event.preventDefault()
          event.stopPropagation()
          onChange(Math.min(100, Math.max(0, value + by)))
        }}
        onPointerDown={(event) => {
          event.stopPropagation()
          isDragged.current = true
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={(event) => {
          if (isDragged.current) toPointer(event)
        }}
        onPointerUp={() => (isDragged.current = false)}
        className="pointer-events-auto absolute top-1/2 left-1/2 flex size-11 -translate-1/2 cursor-ew-resize touch-none items-center justify-center rounded-full bg-fg text-canvas"
      >
        <ChevronsLeftRight aria-hidden="true" />
      </span>
    </div>
  )
}
