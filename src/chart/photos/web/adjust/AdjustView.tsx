import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { RotateCcw, RotateCw, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { client, type Client, messageOf } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { FullScreen } from '../../../../ui/overlays/FullScreen.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import {
  adjustLimits,
  type Adjustment,
  type Blur,
  changeBlur,
  changeCrop,
  type CropCorner,
  cropCorners,
  dragCorner,
  type Crop,
  isUnadjusted,
  normalTurn,
  turnedSize,
  unadjusted,
  visibleBox,
  visibleCentre,
} from '../../adjust-rules.ts'
import { type PhotoData, photoUrl } from '../photo-data.ts'
import { PhotoFrame } from '../PhotoFrame.tsx'

type Mode = 'crop' | 'blur'
const modes: readonly { value: Mode; label: string }[] = [
  { value: 'crop', label: 'Crop and rotate' },
  { value: 'blur', label: 'Blur for sharing' },
]
const whole: Crop = { x: 0, y: 0, width: 1, height: 1 }
/** By which an arrow key moves or sizes: a fraction of the photo. */
const keyStep = 0.01
const arrows: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const blurNames: Record<Blur['kind'], string> = { bar: 'Eye bar', ellipse: 'Blur' }

interface AdjustViewProps {
  photo: PhotoData
  /** Of the photo: its view and series. */
  title: string
  /** Two identifiers of whom it shows. */
  patient: string
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** Turns and crops how a photo is shown, and chooses what is made unrecognizable in copies that leave the chart. The original stays as it is. */
export default function AdjustView({ photo, title, patient, onChanged, onClose }: AdjustViewProps) {
  const [base, setBase] = useState({ version: photo.version, adjustment: photo.adjustment ?? unadjusted })
  const [now, setNow] = useState<Adjustment>(base.adjustment)
  const [mode, setMode] = useState<Mode>('crop')
  const [selected, setSelected] = useState<number | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const photoSpace = useRef<SVGGElement>(null)
  const frameSpace = useRef<SVGGElement>(null)
  const drag = useRef<{ pointer: number; what: 'crop' | number; edge: string | undefined; x: number; y: number } | null>(null)
  const isChanged = JSON.stringify(now) !== JSON.stringify(base.adjustment)
  const guard = useUnsavedGuard(() => isChanged)

  const { turn, blurs } = now
  const frame = turnedSize(photo, turn)
  const box = visibleBox(photo, now)
  const crop: Crop = { x: box.x / frame.width, y: box.y / frame.height, width: box.width / frame.width, height: box.height / frame.height }
  const unit = Math.max(photo.width, photo.height) / 1000
  const straightened = turn - 90 * Math.round(turn / 90)

  const setTurn = (next: number) => setNow({ ...now, turn: normalTurn(next) })
  function changeBy(what: 'crop' | number, dx: number, dy: number, isResize: boolean) {
    if (what === 'crop') return setNow((before) => ({ ...before, crop: changeCrop(before.crop ?? crop, dx, dy, isResize) }))
    setNow((before) => ({
      ...before,
      blurs: before.blurs.map((blur, place) => (place === what ? changeBlur(blur, dx, dy, isResize) : blur)),
    }))
  }
  function addBlur(kind: Blur['kind']) {
    const [x, y] = visibleCentre(photo, now)
    const size = kind === 'bar' ? { width: 0.4, height: 0.07 } : { width: 0.4, height: 0.35 }
    setNow({ ...now, blurs: [...blurs, { kind, x, y, ...size, turn: normalTurn(-turn) }] })
    setSelected(blurs.length)
  }
  function removeBlur(place: number) {
    setNow({ ...now, blurs: blurs.filter((_, one) => one !== place) })
    setSelected(null)
  }

  /** As fractions of the photo, or of the frame around it for the crop. */
  function pointOf(event: PointerEvent, what: 'crop' | number): { x: number; y: number } {
    const [space, size] = what === 'crop' ? [frameSpace, frame] : [photoSpace, photo]
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(space.current!.getScreenCTM()!.inverse())
    return { x: x / size.width, y: y / size.height }
  }
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const target = (event.target as Element).closest<SVGElement>('[data-box]')
    if (!target || event.button !== 0) return setSelected(null)
    const what = target.dataset.box === 'crop' ? 'crop' : Number(target.dataset.box)
    if (what !== 'crop') setSelected(what)
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { pointer: event.pointerId, what, edge: target.dataset.edge, ...pointOf(event, what) }
  }
  function onPointerMove(event: PointerEvent) {
    const from = drag.current
    if (from?.pointer !== event.pointerId) return
    const to = pointOf(event, from.what)
    const [dx, dy] = [to.x - from.x, to.y - from.y]
    const corner = cropCorners.find((one) => one === from.edge)
    if (corner) setNow((before) => ({ ...before, crop: dragCorner(before.crop ?? crop, corner, dx, dy) }))
    else if (from.edge === undefined) changeBy(from.what, dx, dy, false)
    // A blurred part grows around its middle.
    else changeBy(from.what, dx * 2, dy * 2, true)
    drag.current = { ...from, ...to }
  }
  function onBoxKeyDown(what: 'crop' | number, event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (what !== 'crop' && (event.key === 'Delete' || event.key === 'Backspace')) return removeBlur(what)
    const by = arrows[event.key]
    if (!by) return
    event.preventDefault()
    changeBy(what, by[0] * keyStep, by[1] * keyStep, event.shiftKey)
  }

  async function save() {
    setSaving(true)
    setProblem(null)
    try {
      await client.photos.adjust({ id: photo.id, version: base.version, ...now })
      await onChanged()
      toast.success('Photo adjusted')
      guard.leave(onClose)
    } catch (error) {
      const refusal = error as InferClientErrors<Client>['photos']['adjust']
      if (isDefinedError(refusal) && refusal.code === 'CONFLICT') {
        const { current } = refusal.data
        setBase({ version: current.version, adjustment: current.adjustment ?? unadjusted })
        setProblem('Someone else has adjusted this photo. Save again to replace that with what you see here.')
      } else setProblem(messageOf(error))
    } finally {
      setSaving(false)
    }
  }

  const handle = (x: number, y: number, data: object) => (
    <g {...data} className="cursor-nwse-resize">
      <circle cx={x} cy={y} r={28 * unit} fill="transparent" />
      <circle cx={x} cy={y} r={9 * unit} fill="var(--markup-white)" stroke="var(--markup-edge)" strokeWidth={2 * unit} />
    </g>
  )
  /** A bracket within the crop, which is seen where the crop ends with the photo. */
  const cornerHandle = (corner: CropCorner) => {
    const [isLeft, isTop] = [corner.endsWith('left'), corner.startsWith('top')]
    const [right, down] = [isLeft ? 1 : -1, isTop ? 1 : -1]
    const [x, y] = [box.x + (isLeft ? 0 : box.width), box.y + (isTop ? 0 : box.height)]
    const arm = Math.min(48 * unit, box.width / 3, box.height / 3)
    const bracket = `M${x + 6 * unit * right} ${y + arm * down}V${y + 6 * unit * down}H${x + arm * right}`
    return (
      <g
        key={corner}
        data-box="crop"
        data-edge={corner}
        className={isLeft === isTop ? 'cursor-nwse-resize' : 'cursor-nesw-resize'}
        fill="none"
        strokeLinejoin="round"
        strokeLinecap="round"
      >
        <rect x={Math.min(x, x + arm * right)} y={Math.min(y, y + arm * down)} width={arm} height={arm} fill="transparent" />
        <path d={bracket} stroke="var(--markup-edge)" strokeWidth={11 * unit} />
        <path d={bracket} stroke="var(--markup-white)" strokeWidth={7 * unit} />
      </g>
    )
  }
  return (
    <FullScreen
      title={patient}
      description={title}
      onClose={() => guard.close(onClose)}
      tools={<SegmentedControl aria-label="What to adjust" value={mode} onValueChange={setMode} options={modes} />}
    >
      <div
        data-stage
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
        className="min-h-0 flex-1 touch-none p-4"
      >
        <PhotoFrame photo={photo} file="screen" alt={title} adjustment={mode === 'crop' ? { turn, crop: whole } : now} drawing={photoSpace}>
          {mode === 'crop' ? (
            // The crop is upright whatever the turn of the photo.
            <g
              ref={frameSpace}
              transform={`translate(${photo.width / 2} ${photo.height / 2}) rotate(${-turn}) translate(${-frame.width / 2} ${-frame.height / 2})`}
            >
              <path
                d={`M0 0H${frame.width}V${frame.height}H0ZM${box.x} ${box.y}v${box.height}h${box.width}v${-box.height}Z`}
                fill="var(--markup-edge)"
                pointerEvents="none"
              />
              <g
                data-box="crop"
                role="button"
                aria-label={`Crop, ${Math.round(crop.width * 100)} by ${Math.round(crop.height * 100)} percent`}
                tabIndex={0}
                onKeyDown={(event) => onBoxKeyDown('crop', event)}
                className="cursor-move"
              >
                <rect
                  x={box.x}
                  y={box.y}
                  width={box.width}
                  height={box.height}
                  fill="transparent"
                  stroke="var(--markup-white)"
                  strokeWidth={2.5 * unit}
                />
              </g>
              {cropCorners.map(cornerHandle)}
            </g>
          ) : (
            blurs.map((blur, place) => {
              const [x, y] = [blur.x * photo.width, blur.y * photo.height]
              const [width, height] = [blur.width * photo.width, blur.height * photo.height]
              const look = {
                fill: blur.kind === 'bar' ? 'var(--markup-bar)' : 'var(--markup-melted)',
                stroke: 'var(--markup-white)',
                strokeWidth: (place === selected ? 3 : 1) * unit,
              }
              return (
                // What has no name of its own is known by its place.
                // eslint-disable-next-line react/no-array-index-key
                <g key={place} transform={`rotate(${blur.turn} ${x} ${y})`}>
                  <g
                    data-box={place}
                    role="button"
                    aria-label={`${blurNames[blur.kind]} ${place + 1}`}
                    aria-pressed={place === selected}
                    tabIndex={0}
                    onFocus={() => setSelected(place)}
                    onKeyDown={(event) => onBoxKeyDown(place, event)}
                    className="cursor-move"
                  >
                    {blur.kind === 'bar' ? (
                      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} {...look} />
                    ) : (
                      <ellipse cx={x} cy={y} rx={width / 2} ry={height / 2} {...look} />
                    )}
                  </g>
                  {place === selected && handle(x + width / 2, y + height / 2, { 'data-box': place, 'data-edge': 'end' })}
                </g>
              )
            })
          )}
        </PhotoFrame>
      </div>
      <footer className="flex min-h-14 flex-none flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-3 py-2 md:px-4">
        {mode === 'crop' ? (
          <>
            <IconButton label="Rotate left" icon={<RotateCcw />} variant="outlined" onClick={() => setTurn(turn - 90)} />
            <IconButton label="Rotate right" icon={<RotateCw />} variant="outlined" onClick={() => setTurn(turn + 90)} />
            <label className="flex items-center gap-2 text-sm text-fg-2">
              Straighten
              <input
                type="range"
                min={-45}
                max={45}
                step={0.5}
                value={straightened}
                aria-valuetext={`${straightened} degrees`}
                onChange={({ target }) => setTurn(turn - straightened + Number(target.value))}
                className="w-40 accent-(--accent)"
              />
              <span className="w-12 tabular-nums">{`${straightened.toFixed(1)}°`}</span>
            </label>
            {now.crop && (
              <Button variant="quiet" onClick={() => setNow({ ...now, crop: null })}>
                Remove crop
              </Button>
            )}
          </>
        ) : (
          <>
            <Button disabled={blurs.length >= adjustLimits.blurs} onClick={() => addBlur('bar')}>
              Add eye bar
            </Button>
            <Button disabled={blurs.length >= adjustLimits.blurs} onClick={() => addBlur('ellipse')}>
              Add blur
            </Button>
            {selected !== null && blurs[selected] && (
              <IconButton
                label={`Delete ${blurNames[blurs[selected].kind].toLowerCase()} ${selected + 1}`}
                keys="Delete"
                icon={<Trash2 />}
                onClick={() => removeBlur(selected)}
              />
            )}
            <p className="text-xs text-fg-3 max-md:basis-full">Blurs are burnt into copies that leave the chart. The chart shows none.</p>
            {photo.adjustment && !isChanged && (
              <Button variant="quiet" asChild>
                <a href={photoUrl(photo, 'shared')} target="_blank" rel="noreferrer">
                  Preview shared copy
                </a>
              </Button>
            )}
          </>
        )}
        <span className="ml-auto flex items-center gap-2">
          {problem && (
            <span role="alert" className="text-sm text-danger-fg">
              {problem}
            </span>
          )}
          {!isUnadjusted(now) && (
            <Button variant="quiet" onClick={() => setNow(unadjusted)}>
              Reset all
            </Button>
          )}
          <Button variant="filled" disabled={!isChanged} busy={isSaving} busyLabel="Saving…" onClick={() => void save()}>
            Save
          </Button>
        </span>
      </footer>
      {guard.dialog}
    </FullScreen>
  )
}
