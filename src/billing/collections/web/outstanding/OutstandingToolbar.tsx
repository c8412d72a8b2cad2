import { Toolbar, ToolbarSelect } from '../../../../ui/display/Toolbar.tsx'
import { type OutstandingTabProps, type Show, showLabels } from '../embed/outstanding-search.ts'
import { usePeople } from '../useAccount.ts'

const shows = (Object.keys(showLabels) as Show[]).map((value) => ({ value, label: showLabels[value] }))

/** Whom the list shows, and whose patients. */
export function OutstandingToolbar({ search, onChange }: OutstandingTabProps) {
  const people = usePeople()
  return (
    <Toolbar label="Who owes">
      <ToolbarSelect
        label="Show"
        value={search.show ?? 'all'}
        onChange={(show) => onChange({ show: show === 'all' ? undefined : show, page: undefined })}
        options={shows}
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
