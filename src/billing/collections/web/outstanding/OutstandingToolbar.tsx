import { Toolbar, ToolbarSelect } from '../../../../ui/display/Toolbar.tsx'
import { type OutstandingTabProps, type Show, showLabels } from '../embed/outstanding-search.ts'
import { usePeople } from '../useAccount.ts'

const showOptions = (Object.keys(showLabels) as Show[]).map((value) => ({ value, label: showLabels[value] }))

/** Filters by status and owner. */
export function OutstandingToolbar({ search, onChange }: OutstandingTabProps) {
  const people = usePeople()
  return (
    <Toolbar label="Outstanding filters">
      <ToolbarSelect
        label="Show"
        value={search.show ?? 'all'}
        onChange={(show) => onChange({ show: show === 'all' ? undefined : show, page: undefined })}
        options={showOptions}
        className="w-36 min-w-0 max-md:flex-1"
      />
      <ToolbarSelect
        label="Owner"
        value={search.owner}
        onChange={(owner) => onChange({ owner, page: undefined })}
        options={people.map(({ id, fullName }) => ({ value: id, label: fullName }))}
        any="All owners"
        className="w-44 min-w-0 max-md:flex-1"
      />
    </Toolbar>
  )
}
