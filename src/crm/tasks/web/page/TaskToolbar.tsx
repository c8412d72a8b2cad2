import { useQuery } from '@tanstack/react-query'
import { CalendarDays, List } from 'lucide-react'
import { orpc } from '../../../../ui/client/api.ts'
import { ExportMenu } from '../../../../ui/display/ExportMenu.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { Toolbar, ToolbarSelect } from '../../../../ui/display/Toolbar.tsx'
import { PatientFilter } from '../../../contacts/web/embed/PatientFilter.tsx'
import { optionsOf, priorityLabels, typeLabels } from '../task-labels.ts'
import { filtersOf, sortLabels, sortOf, type TasksSearch } from './tasks-search.ts'

interface TaskToolbarProps {
  search: TasksSearch
  onChange: (part: TasksSearch) => void
  /** Whether the user may see everyone's tasks (spec 6). */
  seesAll: boolean
  narrow: boolean
}

/** Filters, sorting and layout of the task page. */
export function TaskToolbar({ search, onChange, seesAll, narrow }: TaskToolbarProps) {
  const people = useQuery(orpc.tasks.assignable.queryOptions({ staleTime: 60_000, enabled: seesAll }))
  return (
    <Toolbar label="Tasks" narrow={narrow}>
      {seesAll && (
        <SegmentedControl
          aria-label="Assigned to"
          value={search.show ?? 'mine'}
          onValueChange={(show) => onChange({ show: show === 'mine' ? undefined : show, assignee: undefined })}
          options={[
            { value: 'mine', label: 'Mine' },
            { value: 'everyone', label: 'Everyone' },
          ]}
        />
      )}
      {search.show === 'everyone' && (
        <ToolbarSelect
          label="Assignee"
          value={search.assignee}
          onChange={(assignee) => onChange({ assignee })}
          options={(people.data ?? []).map(({ id, fullName }) => ({ value: id, label: fullName }))}
          any="All assignees"
          className="w-38"
        />
      )}
      <ToolbarSelect
        label="Type"
        value={search.type}
        onChange={(type) => onChange({ type })}
        options={optionsOf(typeLabels)}
        any="All types"
        className="w-30"
      />
      <ToolbarSelect
        label="Priority"
        value={search.priority}
        onChange={(priority) => onChange({ priority })}
        options={optionsOf(priorityLabels)}
        any="All priorities"
        className="w-32"
      />
      <PatientFilter value={search.patient} onChange={(patient) => onChange({ patient })} className="w-42" />
      <span className="flex-1" />
      {search.view !== 'week' && (
        <ToolbarSelect
          label="Sort"
          value={sortOf(search)}
          onChange={(sort) => onChange({ sort: sort === sortOf({ due: search.due }) ? undefined : sort })}
          options={optionsOf(sortLabels)}
          className="w-34"
        />
      )}
      {search.view !== 'week' && (
        <ExportMenu address="/api/tasks" filters={{ ...filtersOf(search), due: search.due ?? 'open', sort: sortOf(search) }} compact />
      )}
      <SegmentedControl
        aria-label="Layout"
        value={search.view ?? 'list'}
        onValueChange={(view) => onChange({ view: view === 'week' ? view : undefined, from: undefined })}
        options={[
          { value: 'week', label: 'Week', icon: <CalendarDays /> },
          { value: 'list', label: 'List', icon: <List /> },
        ]}
      />
    </Toolbar>
  )
}
