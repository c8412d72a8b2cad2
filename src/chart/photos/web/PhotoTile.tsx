import { Camera, Check } from 'lucide-react'
import { cn } from '../../../ui/cn.ts'
import { views, type PhotoView } from '../rules.ts'
import type { PhotoData } from './photo-data.ts'
import { PhotoFrame } from './PhotoFrame.tsx'

interface PhotoTileProps {
  photo: PhotoData
  /** Names it among the others, such as 'Front, pre-op'. */
  label: string
  isSelected: boolean
  /** What it is used for outside the chart now; null: nothing. */
  uses: string | null
  onOpen: () => void
  onSelect: () => void
}

/** A photo in a grid: opened by a click or Enter, selected by its corner or x. */
export function PhotoTile({ photo, label, isSelected, uses, onOpen, onSelect }: PhotoTileProps) {
  return (
    <li className="group/photo min-w-0">
      <div className="relative">
        <button
          type="button"
          aria-label={`Open ${label}`}
          onClick={onOpen}
          onKeyDown={(event) => {
            if (event.key !== 'x' || event.ctrlKey || event.metaKey || event.altKey) return
            event.preventDefault()
            onSelect()
          }}
          className={cn(
            'block aspect-4/5 w-full cursor-pointer overflow-hidden rounded-md bg-hover outline-offset-2',
            isSelected && 'outline-2 outline-accent focus-visible:outline-focus',
          )}
        >
          <PhotoFrame photo={photo} file="thumbnail" alt="" adjustment={photo.adjustment} fit="cover" lazy />
        </button>
        <button
          type="button"
          role="checkbox"
          aria-checked={isSelected}
          aria-label={`Select ${label}`}
          onClick={onSelect}
          className={cn(
            'absolute top-2 right-2 flex size-6 cursor-pointer items-center justify-center rounded-sm touch-target [&>svg]:size-4',
            isSelected
              ? 'bg-accent text-on-accent'
              : 'border border-line-control bg-raised text-transparent group-hover/photo:opacity-100 focus-visible:opacity-100 pointer-fine:opacity-0',
          )}
        >
          <Check aria-hidden="true" />
        </button>
      </div>
      <p className="truncate pt-1.5 text-xs text-fg-2">{views[photo.view]}</p>
      {uses !== null && <p className="truncate text-xs text-accent-fg">{uses}</p>}
    </li>
  )
}

/** The place of a view that was not taken. */
export function MissingTile({ view, onTake }: { view: PhotoView; onTake: () => void }) {
  return (
    <li className="min-w-0">
      <button
        type="button"
        aria-label={`Take ${views[view]}`}
        onClick={onTake}
        className="group/missing flex aspect-4/5 w-full cursor-pointer flex-col items-center justify-center gap-2 rounded-md border border-dashed border-line-control px-2 text-xs text-fg-3 hover:border-accent hover:bg-hover hover:text-fg"
      >
        <Camera aria-hidden="true" className="size-4.5" />
        <span className="text-center">
          {views[view]}
          <span className="block">not taken</span>
        </span>
      </button>
      <p aria-hidden="true" className="truncate pt-1.5 text-xs text-fg-3">
        {views[view]}
      </p>
    </li>
  )
}
