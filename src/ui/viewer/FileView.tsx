import { FileX2, ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cn } from '../cn.ts'
import { EmptyState, ErrorState } from '../display/EmptyState.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import { Skeleton } from '../display/Skeleton.tsx'
import { type Loadable, loadable, useLoaded } from '../hooks/useLoaded.ts'
import { useBlob } from './useBlob.ts'

const pdfPages: Loadable<typeof import('./PdfPages.tsx')> = loadable(() => import('./PdfPages.tsx'))

/** Space available for a file, in px. */
interface RoomSize {
  width: number
  height: number
}

interface FileViewProps {
  /** Accessible name. */
  name: string
  show: 'pdf' | 'image'
  /** Loads the bytes; rejects with a message for the user. */
  load: (signal: AbortSignal) => Promise<Blob>
}

const zooms = [0.5, 0.75, 1, 1.5, 2, 3]
const whole = zooms.indexOf(1)

/** An image, or a PDF with its pages stacked, fitted to the available space. Give it a `key` per file. */
export function FileView({ name, show, load }: FileViewProps) {
  const { state, retry } = useBlob(load)
  const [zoomAt, setZoomAt] = useState(whole)
  const [place, setPlace] = useState<string | null>(null)
  const zoom = zooms[zoomAt] ?? 1

  if (state && 'error' in state) return <CannotShow onRetry={retry}>{state.error}</CannotShow>
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-11 flex-none items-center justify-between gap-2 border-b border-line px-2 pl-4 md:h-10 md:pl-6">
        <p role="status" className="text-xs text-fg-2 tabular-nums">
          {place}
        </p>
        <div className="flex items-center">
          <IconButton label="Smaller" size="sm" icon={<ZoomOut />} disabled={zoomAt === 0} onClick={() => setZoomAt(zoomAt - 1)} />
          <button
            type="button"
            title="Fit the window"
            aria-label={`Zoom ${Math.round(zoom * 100)}%: fit the window`}
            onClick={() => setZoomAt(whole)}
            className="relative h-7 min-w-13 rounded-sm text-xs font-medium text-fg-2 tabular-nums touch-target hover:bg-hover hover:text-fg"
          >
            {Math.round(zoom * 100)}%
          </button>
          <IconButton
            label="Larger"
            size="sm"
            icon={<ZoomIn />}
            disabled={zoomAt === zooms.length - 1}
            onClick={() => setZoomAt(zoomAt + 1)}
          />
        </div>
      </div>
      <Room name={name}>
        {(size) =>
          !state ? (
            <Waiting />
          ) : show === 'image' ? (
            <Picture url={state.url} name={name} zoom={zoom} size={size} />
          ) : (
            <Pdf blob={state.blob} zoom={zoom} size={size} onPlace={setPlace} />
          )
        }
      </Room>
    </div>
  )
}

/** The keyboard-scrollable container, and its size. */
function Room({ name, children }: { name: string; children: (size: RoomSize) => ReactNode }) {
  const room = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<RoomSize | null>(null)
  useEffect(() => {
    const element = room.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // The previous file may have had the focus; keeps the scroll keys working.
    const active = document.activeElement
    if (active === document.body || active === element.closest('[role="dialog"]')) element.focus({ preventScroll: true })
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={room}
      role="region"
      aria-label={name}
      // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
      tabIndex={0}
      data-autofocus
      className="relative min-h-0 flex-1 overflow-auto bg-canvas outline-offset-[-2px]"
    >
      {size && children(size)}
    </div>
  )
}

const Waiting = () => (
  <div role="status" aria-label="Loading" className="flex h-full items-center justify-center p-6">
    <Skeleton className="h-full w-full max-w-150 bg-active" />
  </div>
)

const margin = 16

function Picture({ url, name, zoom, size }: { url: string; name: string; zoom: number; size: RoomSize }) {
  const [failed, setFailed] = useState(false)
  const [own, setOwn] = useState<RoomSize | null>(null)
  if (failed) return <CannotShow>This image cannot be shown here. Download it to view it.</CannotShow>
  const fit = own && Math.min(1, (size.width - 2 * margin) / own.width, (size.height - 2 * margin) / own.height)
  return (
    <div className="grid min-h-full w-fit min-w-full place-items-center p-4">
      <img
        src={url}
        alt={name}
        onError={() => setFailed(true)}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setOwn({ width, height })}
        className={cn('max-w-none rounded-xs bg-white shadow-sm', own === null && 'invisible')}
        style={own && fit ? { width: own.width * fit * zoom, height: own.height * fit * zoom } : undefined}
      />
    </div>
  )
}

function Pdf({ size, zoom, ...rest }: { blob: Blob; zoom: number; size: RoomSize; onPlace: (place: string) => void }) {
  const [failed, setFailed] = useState<string | null>(null)
  const loaded = useLoaded(pdfPages, () => setFailed('Couldn’t load the viewer. The file can be downloaded.'))
  if (failed !== null) return <CannotShow>{failed}</CannotShow>
  if (!loaded) return <Waiting />
  const { default: Pages } = loaded
  return (
    <div className="w-fit min-w-full py-4">
      <Pages {...rest} fit={{ room: size.width, height: size.height, zoom }} waiting={<Waiting />} onFail={setFailed} />
    </div>
  )
}

function CannotShow({ children, onRetry }: { children: string; onRetry?: () => void }) {
  if (onRetry) {
    return (
      <ErrorState title="Couldn’t open the file" onRetry={onRetry} className="my-auto">
        {children}
      </ErrorState>
    )
  }
  return (
    <EmptyState icon={<FileX2 />} title="No preview" className="my-auto">
      {children}
    </EmptyState>
  )
}
