import type { ReactNode, Ref } from 'react'
import { cn } from '../../../ui/cn.ts'
import { turnedSize, unadjusted, type View, visibleBox } from '../adjust-rules.ts'
import { type PhotoData, type PhotoFile, photoUrl } from './photo-data.ts'

interface PhotoFrameProps {
  photo: Pick<PhotoData, 'id' | 'width' | 'height'>
  file: PhotoFile
  /** Names the photo; empty where its button does. */
  alt: string
  adjustment?: View | null | undefined
  /** Whether the photo fits into the frame, or fills it. */
  fit?: 'contain' | 'cover'
  lazy?: boolean
  onError?: () => void
  /** What is drawn over the photo: SVG in pixels of the upright original. */
  children?: ReactNode
  /** Of the drawing, whose coordinates are those of the photo. */
  drawing?: Ref<SVGGElement>
  className?: string
}

/** A photo as it is shown: turned and cropped as its instructions say, with what is drawn over it. Fills its container, which has a size. */
export function PhotoFrame({
  photo,
  file,
  alt,
  adjustment: given,
  fit = 'contain',
  lazy,
  onError,
  children,
  drawing,
  className,
}: PhotoFrameProps) {
  const { width, height } = photo
  const image = {
    src: photoUrl(photo, file),
    draggable: false,
    decoding: 'async',
    loading: lazy ? 'lazy' : undefined,
    onError,
  } as const
  // Without instructions and drawing, the image is the frame: its layout costs a fraction.
  if (!given && children === undefined)
    return (
      <img
        alt={alt}
        {...image}
        className={cn('size-full min-h-0 select-none', fit === 'cover' ? 'object-cover' : 'object-contain', className)}
      />
    )
  const adjustment = given ?? unadjusted
  const box = visibleBox(photo, adjustment)
  const turned = turnedSize(photo, adjustment.turn)
  const ratio = box.width / box.height
  const percent = (value: number, of: number) => `${(value / of) * 100}%`
  return (
    <div className={cn('@container-size relative size-full min-h-0 overflow-hidden', className)}>
      <div
        style={{ width: fit === 'cover' ? `max(100cqw, ${ratio * 100}cqh)` : `min(100cqw, ${ratio * 100}cqh)`, aspectRatio: ratio }}
        className="absolute top-1/2 left-1/2 -translate-1/2 overflow-hidden"
      >
        <img
          alt={alt}
          {...image}
          style={{
            width: percent(width, box.width),
            height: percent(height, box.height),
            left: percent((turned.width - width) / 2 - box.x, box.width),
            top: percent((turned.height - height) / 2 - box.y, box.height),
            rotate: `${adjustment.turn}deg`,
          }}
          className="absolute max-w-none select-none"
        />
        {children !== undefined && (
          <svg
            viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full overflow-visible"
          >
            <g
              ref={drawing}
              transform={`translate(${turned.width / 2} ${turned.height / 2}) rotate(${adjustment.turn}) translate(${-width / 2} ${-height / 2})`}
            >
              {children}
            </g>
          </svg>
        )}
      </div>
    </div>
  )
}
