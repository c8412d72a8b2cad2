import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { DialogFooter } from '../overlays/Dialog.tsx'
import { useTexts } from './language.ts'
import { PortalButton } from './parts.tsx'
import { frameTexts } from './texts.ts'

interface PhotoPagerProps {
  /** From 0. */
  place: number
  total: number
  onShow: (place: number) => void
}

/** The footer of a dialog with photos: to the one before and the next, also by the arrow keys. */
export function PhotoPager({ place, total, onShow }: PhotoPagerProps) {
  const t = useTexts(frameTexts)
  const show = (target: number) => target >= 0 && target < total && onShow(target)
  const onKeyDown = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') show(place - 1)
    if (key === 'ArrowRight') show(place + 1)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  if (total < 2) return null
  return (
    <DialogFooter>
      <div className="flex w-full items-center justify-between gap-2 text-portal text-fg-2 tabular-nums">
        <PortalButton
          aria-label={t('previousPhoto')}
          className="w-12 px-0"
          icon={<ChevronLeft />}
          disabled={place === 0}
          onClick={() => show(place - 1)}
        />
        {t('place', { place: place + 1, total })}
        <PortalButton
          aria-label={t('nextPhoto')}
          className="w-12 px-0"
          icon={<ChevronRight />}
          disabled={place === total - 1}
          onClick={() => show(place + 1)}
        />
      </div>
    </DialogFooter>
  )
}
