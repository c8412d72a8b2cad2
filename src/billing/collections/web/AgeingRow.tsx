import { cn } from '../../../ui/cn.ts'
import { formatMoney } from '../../../ui/format.ts'
import { type Age, ageLabels, type Ageing, ages } from '../rules.ts'
import { ageTones } from './account-labels.ts'

interface AgeingRowProps {
  ageing: Ageing
  className?: string
  /** If set, each amount is a button that filters the list by its bucket. */
  filter?: { age: Age | undefined; onChange: (age: Age | undefined) => void }
}

const tones = { neutral: 'text-fg', warning: 'font-medium text-warning-fg', danger: 'font-medium text-danger-fg' } as const

/** The open amount per ageing bucket; two columns on narrow screens. */
export function AgeingRow({ ageing, className, filter }: AgeingRowProps) {
  return (
    <dl aria-label="Ageing" className={cn('grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-5', className)}>
      {ages.map((age) => (
        <div
          key={age}
          className={cn(
            'relative min-w-0',
            filter && '-mx-2 rounded-sm px-2 py-1 hover:bg-hover',
            filter?.age === age && 'bg-selected inset-ring inset-ring-accent',
          )}
        >
          <dt className="text-xs text-fg-3">
            {filter ? (
              <button
                type="button"
                aria-pressed={filter.age === age}
                onClick={() => filter.onChange(filter.age === age ? undefined : age)}
                className="text-left after:absolute after:inset-0 after:rounded-sm focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
              >
                {ageLabels[age]}
              </button>
            ) : (
              ageLabels[age]
            )}
          </dt>
          <dd className={cn('text-title tabular-nums', ageing[age] === 0 ? 'text-fg-3' : tones[ageTones[age]])}>
            {formatMoney(ageing[age])}
          </dd>
        </div>
      ))}
    </dl>
  )
}
