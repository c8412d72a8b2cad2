import { ImageOff } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { useTexts } from '../../../ui/patient/language.ts'
import { ownPhotoTexts } from './texts.ts'
import type { FileOf } from './useOwnPhotos.ts'

interface PhotoImageProps {
  id: string
  /** Empty where its button names it. */
  alt: string
  fileOf: FileOf
  /** Whether it fills a place of a grid, or is shown whole. */
  fit?: 'cover' | 'contain'
  className?: string
}

/** A photo, loaded once it is near what is visible. */
export function PhotoImage({ id, alt, fileOf, fit = 'cover', className }: PhotoImageProps) {
  const t = useTexts(ownPhotoTexts)
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [url, setUrl] = useState<string | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const load = useEffectEvent(() => fileOf(id, fit === 'cover' ? 'small' : 'full'))
  useEffect(() => {
    if (!box) return
    let isMounted = true
    let address: string | null = null
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        load().then(
          (file) => {
            if (!isMounted) return
            address = URL.createObjectURL(file)
            setUrl(address)
          },
          () => isMounted && setFailed(true),
        )
      },
      { rootMargin: '50%' },
    )
    observer.observe(box)
    return () => {
      isMounted = false
      observer.disconnect()
      if (address !== null) URL.revokeObjectURL(address)
    }
  }, [box, id])
  return (
    <span ref={setBox} className={cn('flex items-center justify-center overflow-hidden bg-subtle', className)}>
      {hasFailed ? (
        <span className="flex flex-col items-center gap-2 p-4 text-center text-title text-fg-2">
          <ImageOff aria-hidden="true" className="size-5!" />
          {t('notLoaded')}
        </span>
      ) : (
        url && (
          <img src={url} alt={alt} draggable={false} className={fit === 'cover' ? 'size-full object-cover' : 'size-full object-contain'} />
        )
      )}
    </span>
  )
}
