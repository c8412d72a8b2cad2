import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { ArrowUpRight, MousePointer2, Pencil, Redo2, Ruler, Trash2, Type, Undo2 } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { client, type Client, messageOf } from '../../../../ui/client/api.ts'
import { useSession } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { useLetterKeys } from '../../../../ui/hooks/hotkeys.ts'
import { FullScreen } from '../../../../ui/overlays/FullScreen.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { visibleCentre } from '../../adjust-rules.ts'
import { markupMessages } from '../../markup-contract.ts'
import {
  countPoints,
  type MarkupColour,
  markupColours,
  markupLimits,
  moveShape,
  type PhotoPoint,
  resizeShape,
  type Shape,
  thinStroke,
  toPoint,
} from '../../markup-rules.ts'
import { type PhotoData, toggled } from '../photo-data.ts'
import { PhotoFrame } from '../PhotoFrame.tsx'
import { DraftShape, nameOfShape } from './DraftShape.tsx'
import { LayerList } from './LayerList.tsx'
import { Layers } from './Layers.tsx'
import { ShapeMark } from './ShapeMark.tsx'
import { useDraft } from './useDraft.ts'
import { type LayerData, useLayers } from './useLayers.ts'

type Tool = 'select' | Shape['kind']
const tools: readonly { value: Tool; label: string; keys: string; icon: ReactNode }[] = [
  { value: 'select', label: 'Select', keys: 'V', icon: <MousePointer2 /> },
  { value: 'pen', label: 'Pen', keys: 'P', icon: <Pencil /> },
  { value: 'arrow', label: 'Arrow', keys: 'A', icon: <ArrowUpRight /> },
  { value: 'measure', label: 'Measure', keys: 'M', icon: <Ruler /> },
  { value: 'text', label: 'Text', keys: 'T', icon: <Type /> },
]
const colourNames: Record<MarkupColour, string> = { yellow: 'Yellow', red: 'Red', blue: 'Blue', white: 'White' }
const hints: Record<Tool, string> = {
  select: 'Choose a shape to move it.',
  pen: 'Draw on the photo.',
  arrow: 'Drag from where the arrow starts to its tip.',
  measure: 'Drag along what you measure.',
  text: 'Choose where the text goes.',
}
const placeLabels: Record<Shape['kind'], string> = { pen: 'Place stroke', arrow: 'Place arrow', measure: 'Place line', text: 'Place text' }
/** By which an arrow key moves or sizes a shape, and the length of one that is placed without dragging: fractions of the photo. */
const [keyStep, placedLength, minDrag] = [0.005, 0.15, 0.01]
const arrows: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** What a pointer does while it is down. */
type Drag =
  | { kind: 'draw'; pointer: number; shape: Shape }
  | { kind: 'move'; pointer: number; id: string; from: PhotoPoint; run: string }
  | { kind: 'end'; pointer: number; id: string; end: 'from' | 'to'; run: string }

interface MarkupViewProps {
  photo: PhotoData
  /** Of the photo: its view and series. */
  title: string
  /** Two identifiers of whom it shows. */
  patient: string
  nameOf: (id: string | null) => string | null
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** Draws a layer of markup over a photo: pen, arrows, measurements and texts. The photo itself stays as it is. */
export default function MarkupView({ photo, title, patient, nameOf, onChanged, onClose }: MarkupViewProps) {
  const { user } = useSession()
  const [letters] = useLetterKeys()
  const layers = useLayers(photo.id)
  const draft = useDraft()
  /** The layer that is changed; null: a new one. */
  const [edited, setEdited] = useState<LayerData | null>(null)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [tool, setTool] = useState<Tool>('pen')
  const [colour, setColour] = useState<MarkupColour>('yellow')
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const drawing = useRef<SVGGElement>(null)
  const toolbar = useRef<HTMLDivElement>(null)
  const placeButton = useRef<HTMLButtonElement>(null)
  const isChosenByKey = useRef(false)
  const textField = useRef<HTMLInputElement>(null)
  /** A shape whose place on the screen gets the focus when it is there. */
  const [focused, setFocused] = useState<string | null>(null)
  const guard = useUnsavedGuard(() => draft.isChanged && draft.shapes.length > 0)

  const selected = draft.shapes.find(({ id }) => id === selectedId)
  const shown = (layers.data ?? []).filter(({ id }) => !hidden.has(id) && id !== edited?.id)

  useEffect(() => {
    if (!focused) return
    const element = drawing.current?.querySelector<SVGGElement>(`g[role="button"][data-shape="${focused}"]`)
    element?.focus()
    setFocused(null)
  }, [focused])
  useEffect(() => {
    if (selected?.kind === 'text' && selected.text === startText) textField.current?.select()
    // Only when another one is selected.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [selectedId])

  // Enter places what a key has chosen.
  useEffect(() => {
    if (isChosenByKey.current) placeButton.current?.focus()
    isChosenByKey.current = false
  }, [tool])

  function pointOf(event: PointerEvent): PhotoPoint {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.current!.getScreenCTM()!.inverse())
    return toPoint(x / photo.width, y / photo.height)
  }
  const replace = (shape: Shape, run: string | null = null) =>
    draft.change((shapes) => shapes.map((one) => (one.id === shape.id ? shape : one)), run)

  function add(shape: Shape) {
    setProblem(null)
    if (draft.shapes.length >= markupLimits.shapes) return setProblem(markupMessages.shapes)
    if (countPoints([...draft.shapes, shape]) > markupLimits.layerPoints) return setProblem(markupMessages.points)
    draft.change((shapes) => [...shapes, shape])
    if (shape.kind === 'pen') return
    setSelectedId(shape.id)
    if (shape.kind === 'text') setTool('select')
  }
  const remove = (id: string) => {
    draft.change((shapes) => shapes.filter((shape) => shape.id !== id))
    setSelectedId(null)
    toolbar.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
  }

  function startShape(kind: Shape['kind'], at: PhotoPoint): Shape {
    const drawn = { id: crypto.randomUUID(), colour }
    if (kind === 'pen') return { ...drawn, kind, points: [at] }
    if (kind === 'text') return { ...drawn, kind, at, text: startText, size: 'medium' }
    return kind === 'arrow' ? { ...drawn, kind, from: at, to: at } : { ...drawn, kind, from: at, to: at, knownMm: null }
  }
  /** Without dragging: in the middle of what is shown, at its standard length. */
  function place(kind: Shape['kind'], [x, y]: PhotoPoint): Shape {
    const shape = startShape(kind, [x, y])
    if (shape.kind === 'text') return shape
    const [from, to] = [toPoint(x - placedLength / 2, y), toPoint(x + placedLength / 2, y)]
    return shape.kind === 'pen' ? { ...shape, points: [from, to] } : { ...shape, from, to }
  }
  function placeInMiddle(kind: Shape['kind']) {
    const [x, y] = visibleCentre(photo, photo.adjustment ?? undefined)
    const shape = place(kind, toPoint(x, y))
    add(shape)
    setSelectedId(shape.id)
    if (shape.kind !== 'text') setFocused(shape.id)
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0 || drag) return
    const target = (event.target as Element).closest<SVGGElement>('[data-shape]')
    const at = pointOf(event)
    const pointer = event.pointerId
    const end = target?.dataset.end as 'from' | 'to' | undefined
    const id = target?.dataset.shape
    event.currentTarget.setPointerCapture(pointer)
    if (id && end) return setDrag({ kind: 'end', pointer, id, end, run: `end ${id} ${event.timeStamp}` })
    if (id && tool === 'select') {
      setSelectedId(id)
      return setDrag({ kind: 'move', pointer, id, from: at, run: `move ${id} ${event.timeStamp}` })
    }
    if (tool === 'select') return setSelectedId(null)
    if (tool === 'text') {
      event.preventDefault()
      return add(startShape('text', at))
    }
    setSelectedId(null)
    setDrag({ kind: 'draw', pointer, shape: startShape(tool, at) })
  }
  function onPointerMove(event: PointerEvent) {
    if (drag?.pointer !== event.pointerId) return
    const at = pointOf(event)
    // From what is there now: several moves may arrive before the next rendering.
    if (drag.kind === 'draw') return setDrag((now) => (now?.kind === 'draw' ? { ...now, shape: drawTo(now.shape, at) } : now))
    const shape = draft.shapes.find(({ id }) => id === drag.id)
    if (!shape) return
    if (drag.kind === 'move') {
      replace(moveShape(shape, at[0] - drag.from[0], at[1] - drag.from[1]), drag.run)
      return setDrag({ ...drag, from: at })
    }
    if (shape.kind === 'arrow' || shape.kind === 'measure') replace({ ...shape, [drag.end]: at }, drag.run)
  }
  function onPointerUp(event: PointerEvent) {
    if (drag?.pointer !== event.pointerId) return
    setDrag(null)
    if (drag.kind !== 'draw') return
    const { shape } = drag
    if (shape.kind === 'pen') return add({ ...shape, points: thinStroke(shape.points) })
    if (shape.kind === 'text') return
    const isDragged = Math.hypot(shape.to[0] - shape.from[0], shape.to[1] - shape.from[1]) >= minDrag
    add(isDragged ? shape : { ...place(shape.kind, shape.from), id: shape.id })
  }

  function onShapeKeyDown(shape: Shape, event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      return remove(shape.id)
    }
    const by = arrows[event.key]
    if (!by) return
    event.preventDefault()
    const [dx, dy] = [by[0] * keyStep, by[1] * keyStep * (photo.width / photo.height)]
    if (event.shiftKey) replace(resizeShape(shape, dx, dy), `size ${shape.id}`)
    else replace(moveShape(shape, dx, dy), `move ${shape.id}`)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.target instanceof HTMLInputElement || event.altKey) return
    const key = event.key.toLowerCase()
    if (event.ctrlKey || event.metaKey) {
      const act = key === 'y' || (key === 'z' && event.shiftKey) ? draft.redo : key === 'z' ? draft.undo : null
      if (!act) return
      event.preventDefault()
      return act()
    }
    const wanted = letters ? tools.find(({ keys }) => keys.toLowerCase() === key) : undefined
    if (!wanted) return
    event.preventDefault()
    setTool(wanted.value)
    isChosenByKey.current = true
  }

  function begin(layer: LayerData | null) {
    setEdited(layer)
    setSelectedId(null)
    setProblem(null)
    draft.begin(layer?.shapes ?? [])
    setTool(layer ? 'select' : 'pen')
  }
  async function save() {
    const shapes = draft.shapes.map((shape) => (shape.kind === 'text' ? { ...shape, text: shape.text.trim() } : shape))
    const empty = shapes.find((shape) => shape.kind === 'text' && shape.text === '')
    if (empty) {
      setSelectedId(empty.id)
      return setProblem(markupMessages.noText)
    }
    setSaving(true)
    setProblem(null)
    try {
      if (edited) await client.photos.changeLayer({ id: edited.id, version: edited.version, shapes })
      else await client.photos.addLayer({ photoId: photo.id, shapes })
      begin(null)
      await onChanged()
      toast.success('Layer saved')
    } catch (error) {
      const refusal = error as InferClientErrors<Client>['photos']['changeLayer']
      if (isDefinedError(refusal) && refusal.code === 'CONFLICT') setEdited(refusal.data.current)
      setProblem(
        isDefinedError(refusal) && refusal.code === 'CONFLICT'
          ? 'You changed this layer elsewhere. Save again to replace it with what you see here.'
          : messageOf(error),
      )
    } finally {
      setSaving(false)
    }
  }
  async function removeLayer(layer: LayerData) {
    try {
      await client.photos.deleteLayer({ id: layer.id })
      if (edited?.id === layer.id) begin(null)
      await onChanged()
      toast.undoable('Layer deleted', () => void restoreLayer(layer))
    } catch (error) {
      toast.error('The layer was not deleted', messageOf(error))
    }
  }
  async function restoreLayer({ photoId, shapes }: LayerData) {
    try {
      await client.photos.addLayer({ photoId, shapes })
      await onChanged()
    } catch (error) {
      toast.error('The layer was not restored', messageOf(error))
    }
  }

  const isDrawing = tool !== 'select'
  return (
    <FullScreen
      title={patient}
      description={`Markup · ${title}`}
      onClose={() => guard.close(onClose)}
      onKeyDown={onKeyDown}
      tools={
        <>
          <div ref={toolbar} role="toolbar" aria-label="Tools" className="flex items-center gap-0.5 rounded-md bg-hover p-0.5">
            {tools.map(({ value, label, keys, icon }) => (
              <IconButton
                key={value}
                label={label}
                keys={keys}
                icon={icon}
                tooltipSide="bottom"
                aria-pressed={tool === value}
                onClick={() => setTool(value)}
                className={cn(tool === value && 'bg-active text-fg shadow-sm')}
              />
            ))}
          </div>
          <div role="group" aria-label="Colour" className="flex items-center gap-1">
            {markupColours.map((value) => (
              <button
                key={value}
                type="button"
                aria-label={colourNames[value]}
                aria-pressed={colour === value}
                onClick={() => {
                  setColour(value)
                  if (selected) replace({ ...selected, colour: value })
                }}
                className={cn(
                  'relative flex size-7 cursor-pointer items-center justify-center rounded-full touch-target',
                  colour === value && 'bg-active',
                )}
              >
                <span style={{ background: `var(--markup-${value})` }} className="size-4 rounded-full border border-line-control" />
              </button>
            ))}
          </div>
        </>
      }
    >
      <div className="flex min-h-0 flex-1 max-md:flex-col">
        <div
          data-stage
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={() => setDrag(null)}
          className={cn('relative min-h-0 min-w-0 flex-1 touch-none', isDrawing && 'cursor-crosshair')}
        >
          <PhotoFrame photo={photo} file="screen" alt={title} adjustment={photo.adjustment} drawing={drawing}>
            <Layers layers={shown} size={photo} />
            {draft.shapes.map((shape) => (
              <DraftShape
                key={shape.id}
                shape={shape}
                shapes={draft.shapes}
                size={photo}
                isSelected={shape.id === selectedId}
                onFocus={() => setSelectedId(shape.id)}
                onKeyDown={(event) => onShapeKeyDown(shape, event)}
              />
            ))}
            {drag?.kind === 'draw' && <ShapeMark shape={drag.shape} shapes={[...draft.shapes, drag.shape]} size={photo} />}
          </PhotoFrame>
        </div>
        <LayerList
          layers={layers}
          hidden={hidden}
          edited={edited}
          ownId={user?.id ?? null}
          nameOf={nameOf}
          onToggle={(id) => setHidden((before) => toggled(before, id))}
          onEdit={(layer) => (draft.isChanged ? setProblem('Save or undo what you drew first') : begin(layer))}
          onDelete={(layer) => void removeLayer(layer)}
        />
      </div>
      <footer className="flex min-h-14 flex-none flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2">
        <span className="flex items-center">
          <IconButton label="Undo" keys="mod+Z" icon={<Undo2 />} disabled={!draft.canUndo} onClick={draft.undo} />
          <IconButton label="Redo" keys="mod+Y" icon={<Redo2 />} disabled={!draft.canRedo} onClick={draft.redo} />
        </span>
        {selected ? (
          <div role="group" aria-label={nameOfShape(selected, draft.shapes, photo)} className={cn(contextRow, 'gap-2')}>
            {selected.kind === 'text' && (
              <>
                <Input
                  ref={textField}
                  aria-label="Text"
                  autoComplete="off"
                  maxLength={markupLimits.text}
                  value={selected.text}
                  onChange={({ target }) => replace({ ...selected, text: target.value }, `text ${selected.id}`)}
                  className="min-w-0 max-md:flex-1 md:w-56"
                />
                <SegmentedControl
                  aria-label="Size of the text"
                  value={selected.size}
                  onValueChange={(size) => replace({ ...selected, size })}
                  options={[
                    { value: 'small', label: 'S' },
                    { value: 'medium', label: 'M' },
                    { value: 'large', label: 'L' },
                  ]}
                />
              </>
            )}
            {selected.kind === 'measure' && (
              <KnownLength
                key={selected.id}
                value={selected.knownMm}
                onChange={(knownMm) =>
                  // Only one line of a layer has a known length.
                  draft.change(
                    (shapes) =>
                      shapes.map((one) => (one.kind === 'measure' ? { ...one, knownMm: one.id === selected.id ? knownMm : null } : one)),
                    `known ${selected.id}`,
                  )
                }
              />
            )}
            <IconButton
              label={`Delete ${nameOfShape(selected, draft.shapes, photo)}`}
              keys="Delete"
              icon={<Trash2 />}
              onClick={() => remove(selected.id)}
            />
            <span className="text-xs text-fg-3 max-md:hidden">Arrow keys move it, Shift and arrow keys change its size</span>
          </div>
        ) : null}
        {isDrawing && (
          <Button ref={placeButton} variant="quiet" onClick={() => placeInMiddle(tool)}>
            {placeLabels[tool]}
          </Button>
        )}
        {!selected && <p className={cn(contextRow, 'text-xs text-fg-3')}>{hints[tool]}</p>}
        <span className="ml-auto flex items-center gap-2">
          {problem && (
            <span role="alert" className="text-sm text-danger-fg">
              {problem}
            </span>
          )}
          {edited && (
            <Button variant="quiet" onClick={() => begin(null)}>
              Cancel
            </Button>
          )}
          <Button
            variant="filled"
            disabled={draft.shapes.length === 0 || !draft.isChanged}
            busy={isSaving}
            busyLabel="Saving…"
            onClick={() => void save()}
          >
            {edited ? 'Save changes' : 'Save layer'}
          </Button>
        </span>
      </footer>
      {guard.dialog}
    </FullScreen>
  )
}

/** What is selected, or what to do. On a phone it has a row of its own, so that the photo keeps its size when a shape is selected. */
const contextRow = 'flex items-center max-md:order-first max-md:h-11 max-md:w-full'

/** A shape with its stroke or line drawn on to a point. */
function drawTo(shape: Shape, at: PhotoPoint): Shape {
  if (shape.kind === 'pen') return { ...shape, points: [...shape.points, at] }
  return shape.kind === 'text' ? shape : { ...shape, to: at }
}

/** Of a text until it is written. */
const startText = 'Text'

/** The real length of a line, by which the others are measured. */
function KnownLength({ value, onChange }: { value: number | null; onChange: (value: number | null) => void }) {
  const [typed, setTyped] = useState(value === null ? '' : String(value))
  const number = Number(typed.replace(',', '.'))
  const isWrong = typed.trim() !== '' && !(number >= 0.1 && number <= markupLimits.mm)
  return (
    <label className="flex items-center gap-2 text-sm text-fg-2">
      Known length
      <Input
        inputMode="decimal"
        autoComplete="off"
        trailing="mm"
        value={typed}
        aria-invalid={isWrong}
        onChange={({ target }) => {
          setTyped(target.value)
          const next = Number(target.value.replace(',', '.'))
          if (target.value.trim() === '') onChange(null)
          else if (next >= 0.1 && next <= markupLimits.mm) onChange(Math.round(next * 10) / 10)
        }}
        className="w-28"
      />
      {isWrong && (
        <span role="alert" className="text-danger-fg">
          {markupMessages.mm}
        </span>
      )}
    </label>
  )
}
