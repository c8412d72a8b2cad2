import { Check } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { Burst } from './burst.ts'

interface BurstPickerProps {
  burst: Burst
  onKeep: (pictures: readonly Blob[]) => void
  onDiscard: () => void
}

/** Chooses the pictures of a burst that are kept, first of all the sharpest. The others are stored nowhere. */
export function BurstPicker({ burst: { pictures, sharpest }, onKeep, onDiscard }: BurstPickerProps) {
  const [chosen, setChosen] = useState<readonly number[]>([sharpest])
  const toggle = (place: number) => setChosen(chosen.includes(place) ? chosen.filter((one) => one !== place) : [...chosen, place])
  return (
    <div role="group" aria-label="Photos of the burst" className="absolute inset-0 flex flex-col gap-3 bg-canvas p-4">
      <ul className="grid min-h-0 flex-1 auto-rows-fr grid-cols-2 gap-3 md:grid-cols-3">
        {pictures.map(({ url }, place) => {
          const isChosen = chosen.includes(place)
          return (
            <li key={url} className="relative min-h-0">
              <button
                type="button"
                // The first action in view is to judge what is proposed.
                autoFocus={place === sharpest}
                aria-pressed={isChosen}
                aria-label={`Photo ${place + 1}${place === sharpest ? ', the sharpest' : ''}`}
                onClick={() => toggle(place)}
                className={cn(
                  'relative size-full cursor-pointer overflow-hidden rounded-md bg-hover',
                  isChosen && 'outline-2 outline-offset-[-2px] outline-accent',
                )}
              >
                <img src={url} alt="" className={cn('absolute inset-0 size-full object-contain', !isChosen && 'opacity-60')} />
                {isChosen && (
                  <span className="absolute top-2 right-2 flex size-6 items-center justify-center rounded-full bg-accent text-on-accent">
                    <Check aria-hidden="true" className="size-4" />
                  </span>
                )}
                {place === sharpest && (
                  <span className="absolute bottom-2 left-2 rounded-full bg-raised/85 px-2 py-0.5 text-xs text-fg">Sharpest</span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
      <div className="flex flex-none justify-end gap-2">
        <Button onClick={onDiscard}>Take again</Button>
        <Button
          variant="filled"
          disabled={chosen.length === 0}
          onClick={() => onKeep(chosen.toSorted((a, b) => a - b).map((place) => pictures[place]!.picture))}
        >
          {chosen.length > 1 ? `Keep ${chosen.length} photos` : 'Keep photo'}
        </Button>
      </div>
    </div>
  )
}
