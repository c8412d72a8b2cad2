import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { useFocusOnOpen } from '../../../ui/overlays/useFocusOnOpen.ts'
import { useRestoreFocus } from '../../../ui/overlays/useRestoreFocus.ts'
import { views } from '../rules.ts'
import type { ShownPhoto } from './photo-data.ts'
import { PhotoFrame } from './PhotoFrame.tsx'

interface SlideShowProps {
  photos: readonly ShownPhoto[]
  onClose: () => void
}

/** Photos one after the other over the whole screen, for the consult room: without a name, a date or anything else that tells who it is. */
export default function SlideShow({ photos, onClose }: SlideShowProps) {
  const [place, setPlace] = useState(0)
  const focus = useRestoreFocus()
  const content = useFocusOnOpen({ focus: (layer) => layer.focus(), callOff: onClose })
  const isFull = useRef(false)
  const now = photos[Math.min(place, photos.length - 1)]

  useEffect(() => {
    // A browser may refuse it, as on a phone; then the show fills the window.
    document.documentElement.requestFullscreen?.().then(
      () => (isFull.current = true),
      () => undefined,
    )
    function onChange() {
      if (document.fullscreenElement === null && isFull.current) onClose()
    }
    document.addEventListener('fullscreenchange', onChange)
    return () => {
      document.removeEventListener('fullscreenchange', onChange)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
    // Once for the whole show.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const step = (by: number) => setPlace((before) => Math.min(photos.length - 1, Math.max(0, before + by)))
  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Home: -Infinity, End: Infinity }[
      event.key
    ]
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    step(by)
  }
  if (!now) return null
  return (
    <Dialog.Root open onOpenChange={() => onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          ref={content}
          tabIndex={-1}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            focus.begin(event.currentTarget)
          }}
          onCloseAutoFocus={(event) => focus.end(event)}
          className="group/show dark fixed inset-0 z-(--z-dialog) flex h-dvh w-screen flex-col bg-canvas text-fg outline-none"
        >
          <Dialog.Title className="sr-only">Slide show</Dialog.Title>
          <PhotoFrame
            key={now.photo.id}
            photo={now.photo}
            file="screen"
            alt={`${views[now.photo.view]}, ${now.title}`}
            adjustment={now.photo.adjustment}
          />
          <div className="absolute inset-x-0 bottom-0 flex items-center justify-center gap-2 p-3 opacity-0 transition-opacity group-hover/show:opacity-100 group-focus-within/show:opacity-100 pointer-coarse:opacity-100">
            <div className="flex items-center gap-1 rounded-full bg-raised/85 px-2 py-1">
              <IconButton label="Previous photo" icon={<ChevronLeft />} disabled={place === 0} onClick={() => step(-1)} />
              <span role="status" className="min-w-28 text-center text-sm tabular-nums">
                {`${now.title} · ${place + 1} of ${photos.length}`}
              </span>
              <IconButton label="Next photo" icon={<ChevronRight />} disabled={place === photos.length - 1} onClick={() => step(1)} />
              <IconButton label="End slide show" icon={<X />} onClick={onClose} />
            </div>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
