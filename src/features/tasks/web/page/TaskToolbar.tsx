import { useQuery } from '@tanstack/react-query'
import { CalendarDays, List } from 'lucide-react'
import { orpc } from '../../../../web/api.ts'
import { cn } from '../../../../web/ui/cn.ts'
import { ExportMenu } from '../../../../web/ui/ExportMenu.tsx'
import { SegmentedControl } from '../../../../web/ui/SegmentedControl.tsx'
import { Select } from '../../../../web/ui/Select.tsx'
import { ContactPicker } from '../../../contacts/web/embed/ContactPicker.tsx'
import { optionsOf, priorityLabels, typeLabels } from '../task-words.ts'
import { filtersOf, sortLabels, sortOf, type TasksSearch } from './tasks-search.ts'

interface TaskToolbarProps {
  search: TasksSearch
  onChange: (part: TasksSearch) => void
  /** Whether everybody's tasks may be seen (spec 6). */
  seesAll: boolean
  narrow: boolean
}

/** Whose tasks, which of them, in which order, and as a list or a week. */
export function TaskToolbar({ search, onChange, seesAll, narrow }: TaskToolbarProps) {
  const people = useQuery(orpc.tasks.assignable.queryOptions({ staleTime: 60_000, enabled: seesAll }))
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: search.patient ?? '' }, enabled: search.patient !== undefined }))
  const small = 'h-9 text-sm md:h-(--control) md:text-sm'
  return (
    <div
      className={cn(
        'no-scrollbar flex min-h-13 flex-none items-center gap-2 border-b border-line px-4 py-2 md:px-6',
        narrow ? 'overflow-x-auto' : 'flex-wrap',
      )}
    >
      {seesAll && (
        <SegmentedControl
          aria-label="Whose tasks"
          value={search.whose ?? 'mine'}
          onValueChange={(whose) => onChange({ whose: whose === 'mine' ? undefined : whose, assignee: undefined })}
          options={[
            { value: 'mine', label: 'Mine' },
            { value: 'everyone', label: 'Everyone' },
          ]}
        />
      )}
      {search.whose === 'everyone' && (
        <div className="w-38 flex-none">
          <Select
            aria-label="Assignee"
            value={search.assignee ?? null}
            onValueChange={(assignee) => onChange({ assignee: assignee ?? undefined })}
            options={(people.data ?? []).map(({ id, fullName }) => ({ value: id, label: fullName }))}
            noneLabel="Any assignee"
            className={small}
          />
        </div>
      )}
      <div className="w-30 flex-none">
        <Select
          aria-label="Type"
          value={search.type ?? null}
          onValueChange={(type) => onChange({ type: type ?? undefined })}
          options={optionsOf(typeLabels)}
          noneLabel="Any type"
          className={small}
        />
      </div>
      <div className="w-32 flex-none">
        <Select
          aria-label="Priority"
          value={search.priority ?? null}
          onValueChange={(priority) => onChange({ priority: priority ?? undefined })}
          options={optionsOf(priorityLabels)}
          noneLabel="Any priority"
          className={small}
        />
      </div>
      <div className="w-42 flex-none [&_[role=combobox]]:h-9 [&_[role=combobox]]:text-sm md:[&_[role=combobox]]:h-(--control)">
        <ContactPicker
          aria-label="Patient"
          value={search.patient ?? null}
          onValueChange={(id) => onChange({ patient: id ?? undefined })}
          selected={patient.data ?? null}
          placeholder="Any patient"
          clearable
        />
      </div>
      <span className="flex-1" />
      {search.view !== 'week' && (
        <div className="w-34 flex-none">
          <Select
            aria-label="Order"
            value={sortOf(search)}
            onValueChange={(sort) => onChange({ sort: sort === sortOf({ due: search.due }) ? undefined : (sort ?? undefined) })}
            options={optionsOf(sortLabels)}
            className={small}
          />
        </div>
      )}
      {search.view !== 'week' && (
        <ExportMenu address="/api/tasks" filters={{ ...filtersOf(search), due: search.due ?? 'open', sort: sortOf(search) }} compact />
      )}
      <SegmentedControl
        aria-label="Layout"
        value={search.view ?? 'list'}
        onValueChange={(view) => onChange({ view: view === 'week' ? view : undefined, from: undefined })}
        options={[
          { value: 'list', label: 'List', icon: <List /> },
          { value: 'week', label: 'Week', icon: <CalendarDays /> },
        ]}
      />
    </div>
  )
}
