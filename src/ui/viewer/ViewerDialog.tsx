import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../controls/Button.tsx'
import { Dialog, DialogFooter } from '../overlays/Dialog.tsx'
import { useLetterKeys } from '../hooks/hotkeys.ts'
import { IconButton } from '../controls/IconButton.tsx'

interface ShownFile {
  /** Also of the downloaded file. */
  name: string
  /** Shown instead of the name. */
  title?: string
  /** One line of details below the name. */
  facts: ReactNode
  /** Null: the actions have a download of their own. */
  href: string | null
}

/** The files before and after it. */
interface Neighbours {
  /** '2 of 5', if there are others. */
  place: string | null
  onPrevious: (() => void) | null
  onNext: (() => void) | null
}

interface ViewerDialogProps {
  file: ShownFile
  neighbours: Neighbours
  onClose: () => void
  /** Additional shortcuts. */
  keys?: Readonly<Record<string, () => void>>
  /** Next to Download. */
  actions?: ReactNode
  children: ReactNode
}

/** A file viewer with neighbours on the arrow keys. Put a FileView inside. */
export function ViewerDialog({ file, neighbours, onClose, keys, actions, children }: ViewerDialogProps) {
  const { name, title = name, facts, href } = file
  const { place, onPrevious, onNext } = neighbours
  const [letters] = useLetterKeys()

  const box = useRef<HTMLDivElement>(null)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
    if (ctrlKey || metaKey || altKey || shiftKey || event.defaultPrevented || !(target instanceof HTMLElement)) return
    // Typing in a field, or keys in a menu or dialog above, are not meant for the viewer.
    const isHere = target === document.body || box.current?.closest('[role="dialog"]')?.contains(target)
    if (!isHere || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return
    const act = key === 'ArrowLeft' ? onPrevious : key === 'ArrowRight' ? onNext : letters ? keys?.[key.toLowerCase()] : undefined
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <Dialog onClose={onClose} size="lg" title={<span className="line-clamp-2 wrap-anywhere">{title}</span>} description={facts}>
      <div ref={box} className="flex min-h-0 flex-1 flex-col md:h-[calc(100dvh-8rem)]">
        <div className="relative flex min-h-0 flex-1 flex-col">{children}</div>
        <DialogFooter>
          {place !== null && (
            <div className="mr-auto flex items-center gap-1">
              <IconButton label="Previous" keys="left" icon={<ChevronLeft />} disabled={!onPrevious} onClick={() => onPrevious?.()} />
              <span className="min-w-12 text-center text-xs text-fg-2 tabular-nums">{place}</span>
              <IconButton label="Next" keys="right" icon={<ChevronRight />} disabled={!onNext} onClick={() => onNext?.()} />
            </div>
          )}
          {href !== null && (
            <Button asChild icon={<Download />}>
              <a href={href} download={name}>
                Download
              </a>
            </Button>
          )}
          {actions}
        </DialogFooter>
      </div>
    </Dialog>
  )
}
