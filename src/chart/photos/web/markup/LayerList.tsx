import type { UseQueryResult } from '@tanstack/react-query'
import { Eye, EyeOff, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import type { LayerData } from './useLayers.ts'

interface LayerListProps {
  layers: UseQueryResult<LayerData[]>
  hidden: ReadonlySet<string>
  /** The layer that is being changed. */
  edited: LayerData | null
  /** Who is signed in: they change their own layers only. */
  ownId: string | null
  nameOf: (id: string | null) => string | null
  onToggle: (id: string) => void
  onEdit: (layer: LayerData) => void
  onDelete: (layer: LayerData) => void
}

/** The saved layers of a photo with who drew them and when, each shown or hidden. */
export function LayerList({ layers, hidden, edited, ownId, nameOf, onToggle, onEdit, onDelete }: LayerListProps) {
  const clock = useClock()
  return (
    <section
      aria-label="Layers"
      className="flex flex-none flex-col overflow-y-auto border-line max-md:max-h-36 max-md:border-t md:w-72 md:border-l"
    >
      <h3 className="px-4 pt-3 pb-1 text-sm font-semibold">Layers</h3>
      {layers.error && !layers.data ? (
        <ErrorState title="Couldn’t load the layers" onRetry={() => void layers.refetch()} retrying={layers.isFetching}>
          {messageOf(layers.error)}
        </ErrorState>
      ) : layers.isPending ? (
        <div role="status" aria-label="Loading" className="space-y-3 px-4 py-2">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-32" />
        </div>
      ) : layers.data.length === 0 ? (
        <p className="px-4 pb-3 text-sm text-fg-3">No layers yet. What you draw becomes a layer of yours; the photo stays as it is.</p>
      ) : (
        <ul className="pb-2">
          {layers.data.map((layer) => {
            const author = nameOf(layer.authorId) ?? formerStaff
            const time = formatDateTime(layer.updatedAt, clock)
            const name = `layer of ${author}, ${time}`
            return (
              <LayerLine
                key={layer.id}
                layer={layer}
                author={author}
                about={time}
                isHidden={hidden.has(layer.id)}
                isSelected={edited?.id === layer.id}
                onToggle={onToggle}
              >
                {layer.authorId === ownId && (
                  <>
                    <IconButton label={`Edit ${name}`} icon={<Pencil />} size="sm" onClick={() => onEdit(layer)} />
                    <IconButton label={`Delete ${name}`} icon={<Trash2 />} size="sm" onClick={() => onDelete(layer)} />
                  </>
                )}
              </LayerLine>
            )
          })}
        </ul>
      )}
    </section>
  )
}

/** The author of a layer whose account is gone. */
export const formerStaff = 'Former staff'

interface LayerLineProps {
  layer: LayerData
  author: string
  /** When it was drawn, and of which photo where there are several. */
  about: string
  isHidden: boolean
  isSelected?: boolean
  onToggle: (id: string) => void
  /** What can be done with it. */
  children?: ReactNode
}

/** One layer of markup, which is shown or hidden. */
export function LayerLine({ layer, author, about, isHidden, isSelected = false, onToggle, children }: LayerLineProps) {
  return (
    <li className={cn('flex items-center gap-1 py-1 pr-2 pl-3 hover:bg-hover', isSelected && 'bg-selected')}>
      <IconButton
        label={`${isHidden ? 'Show' : 'Hide'} layer of ${author}, ${about}, ${describeShapes(layer)}`}
        icon={isHidden ? <EyeOff /> : <Eye />}
        size="sm"
        onClick={() => onToggle(layer.id)}
      />
      <div className={cn('min-w-0 flex-1', isHidden && 'text-fg-3')}>
        <p className="truncate text-sm font-medium">{author}</p>
        <p className="truncate text-xs text-fg-3">{about}</p>
        <p className="text-xs wrap-anywhere text-fg-3">{describeShapes(layer)}</p>
      </div>
      {children}
    </li>
  )
}

const shapeNames: Record<LayerData['shapes'][number]['kind'], string> = { pen: 'stroke', arrow: 'arrow', measure: 'length', text: 'text' }

/** '2 arrows, 1 text' */
function describeShapes({ shapes }: LayerData): string {
  const counts = Object.entries(shapeNames).map(([kind, name]) => ({ name, count: shapes.filter((shape) => shape.kind === kind).length }))
  return counts.flatMap(({ name, count }) => (count === 0 ? [] : `${count} ${name}${count === 1 ? '' : 's'}`)).join(', ')
}
