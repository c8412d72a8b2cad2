import { cn } from '../../../web/ui/cn.ts'
import { formatMoney } from '../../../web/ui/format.ts'
import { ageLabels, type Ageing } from '../rules.ts'
import { ages } from './account-words.ts'

/** What is open by how late it is: two by two where it is narrow. */
export function AgeingRow({ ageing, className }: { ageing: Ageing; className?: string }) {
  return (
    <dl aria-label="How late it is" className={cn('grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4', className)}>
      {ages.map((age) => (
        <div key={age} className="min-w-0">
          <dt className="text-xs text-fg-3">{ageLabels[age]}</dt>
          <dd
            className={cn(
              'text-title tabular-nums',
              ageing[age] === 0 ? 'text-fg-3' : age === 'current' ? 'text-fg' : 'font-medium text-danger-fg',
            )}
          >
            {formatMoney(ageing[age])}
          </dd>
        </div>
      ))}
    </dl>
  )
}
