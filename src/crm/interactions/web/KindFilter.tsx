import { ToggleGroup } from 'radix-ui'
import { cn } from '../../../ui/cn.ts'
import type { TimelineKind } from '../contract.ts'
import { kindLabels, kindsFor } from './kind-labels.ts'

const all = 'all'

interface KindFilterProps {
  kind: TimelineKind | null
  onChange: (kind: TimelineKind | null) => void
  clinical: boolean
}

/** Timeline filter. One tab stop; the arrow keys move between kinds. Scrolls horizontally if there is no room. */
export function KindFilter({ kind, onChange, clinical }: KindFilterProps) {
  const kinds = kindsFor(clinical)
  return (
    <ToggleGroup.Root
      type="single"
      aria-label="Show"
      value={kind ?? all}
      onValueChange={(next) => onChange(kinds.find((candidate) => candidate === next) ?? null)}
      className="relative no-scrollbar -mx-4 flex gap-0.5 overflow-x-auto px-4 pt-4 md:-mx-2.5 md:px-0"
    >
      {[all, ...kinds].map((value) => (
        <ToggleGroup.Item
          key={value}
          value={value}
          className={cn(
            'relative h-9 flex-none rounded-sm px-2.5 text-sm font-medium whitespace-nowrap text-fg-2 outline-offset-[-2px] touch-target md:h-7',
            'transition-colors duration-(--dur-1) hover:bg-hover hover:text-fg data-[state=on]:bg-hover data-[state=on]:text-fg',
          )}
        >
          {value === all ? 'All' : kindLabels[value as TimelineKind].label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
