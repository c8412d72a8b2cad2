import { useId } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { formatDateTime } from '../../../../ui/format.ts'
import { formerStaff, LayerLine } from '../markup/LayerList.tsx'
import type { LayerData } from '../markup/useLayers.ts'
import type { ShownPhoto } from '../photo-data.ts'

interface PairLayersProps {
  photos: readonly ShownPhoto[]
  /** Of each photo, in the same order. */
  layers: readonly (readonly LayerData[])[]
  hidden: ReadonlySet<string>
  nameOf: (id: string | null) => string | null
  onToggle: (id: string) => void
}

/** The markup on two photos that are compared: who drew it on which photo and when, each layer shown or hidden. */
export function PairLayers({ photos, layers, hidden, nameOf, onToggle }: PairLayersProps) {
  const heading = useId()
  const clock = useClock()
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className="pb-1 text-sm font-semibold">
        Layers
      </h3>
      {/* The icons stand below the heading, without the padding around them. */}
      <ul className="-mr-3 -ml-4.5 max-md:-ml-5.5">
        {photos.flatMap(({ title }, place) =>
          (layers[place] ?? []).map((layer) => (
            <LayerLine
              key={layer.id}
              layer={layer}
              author={nameOf(layer.authorId) ?? formerStaff}
              about={`${title}, ${formatDateTime(layer.updatedAt, clock)}`}
              isHidden={hidden.has(layer.id)}
              onToggle={onToggle}
            />
          )),
        )}
      </ul>
    </section>
  )
}
