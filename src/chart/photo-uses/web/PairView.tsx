import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { FullScreen } from '../../../ui/overlays/FullScreen.tsx'
import { timePoints, views } from '../../photos/rules.ts'
import type { PairData } from './use-data.ts'

interface PairViewProps {
  pairs: readonly PairData[]
  /** The id of the pair. */
  shown: string
  onShow: (id: string) => void
  onClose: () => void
}

/** One pair over the whole screen, for the consult room: the arrow keys show the next view or result. */
export default function PairView({ pairs, shown, onShow, onClose }: PairViewProps) {
  const at = pairs.findIndex(({ id }) => id === shown)
  const pair = pairs[at]
  if (!pair) return null
  const [previous, next] = [pairs[at - 1], pairs[at + 1]]
  const { procedure, technique, ageBand, view, before, after } = pair
  return (
    <FullScreen
      title={procedure ?? 'Result'}
      description={[technique, ageBand && `Age ${ageBand}`, views[view]].filter(Boolean).join(' · ')}
      tools={
        <>
          <IconButton
            label="Previous"
            keys="left"
            icon={<ChevronLeft />}
            disabled={!previous}
            onClick={() => previous && onShow(previous.id)}
          />
          <span className="min-w-12 text-center text-xs text-fg-2 tabular-nums">{`${at + 1} of ${pairs.length}`}</span>
          <IconButton label="Next" keys="right" icon={<ChevronRight />} disabled={!next} onClick={() => next && onShow(next.id)} />
        </>
      }
      onClose={onClose}
      onKeyDown={(event) => {
        const target = { ArrowLeft: previous, ArrowRight: next, ' ': next }[event.key]
        if (!target || (event.key === ' ' && event.target instanceof HTMLButtonElement)) return
        event.preventDefault()
        onShow(target.id)
      }}
    >
      <div className="grid min-h-0 flex-1 grid-cols-2 gap-1 p-2 max-md:portrait:grid-cols-1 max-md:portrait:grid-rows-2">
        {[
          { ...before, label: 'Before' },
          { ...after, label: 'After' },
        ].map(({ image, label, title, timePoint }) => (
          <figure key={image} className="flex min-h-0 min-w-0 flex-col">
            <img src={image} alt={`${label}, ${views[view]}`} draggable={false} className="min-h-0 w-full flex-1 object-contain" />
            <figcaption className="py-1.5 text-center text-sm text-fg-2">{`${label}, ${(title ?? timePoints[timePoint]).toLowerCase()}`}</figcaption>
          </figure>
        ))}
      </div>
    </FullScreen>
  )
}
