import { Select } from '../../../../web/ui/Select.tsx'
import { type OwingTabProps, type Show, showLabels } from '../embed/owing-search.ts'
import { usePeople } from '../useAccount.ts'

const small = 'h-11 text-sm md:h-(--control) md:text-sm'
const shows = (Object.keys(showLabels) as Show[]).map((value) => ({ value, label: showLabels[value] }))

/** Whom the list shows, and whose patients. */
export function OwingToolbar({ search, onChange }: OwingTabProps) {
  const people = usePeople()
  return (
    <div role="search" aria-label="Who owes" className="flex min-h-13 flex-none items-center gap-2 border-b border-line px-4 py-2 md:px-6">
      <div className="w-36 min-w-0 max-md:flex-1">
        <Select
          aria-label="Show"
          value={search.show ?? 'all'}
          onValueChange={(show) => onChange({ show: show === 'all' || show === null ? undefined : show, page: undefined })}
          options={shows}
          className={small}
        />
      </div>
      <div className="w-44 min-w-0 max-md:flex-1">
        <Select
          aria-label="Owner"
          value={search.owner ?? null}
          onValueChange={(owner) => onChange({ owner: owner ?? undefined, page: undefined })}
          options={people.map(({ id, fullName }) => ({ value: id, label: fullName }))}
          noneLabel="Any owner"
          className={small}
        />
      </div>
    </div>
  )
}
