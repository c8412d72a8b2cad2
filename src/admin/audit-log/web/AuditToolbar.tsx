import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { ToolbarDays, ToolbarSelect } from '../../../ui/display/Toolbar.tsx'
import { PatientFilter } from '../../../crm/contacts/web/embed/PatientFilter.tsx'
import { auditActions, type AuditKind, auditKinds } from '../../../kernel/audit/rules.ts'
import type { AuditProps } from './audit-search.ts'
import { actionLabels } from './labels.ts'

const actions = auditActions.map((value) => ({ value, label: actionLabels[value] }))
const kinds = (Object.entries(auditKinds) as [AuditKind, string][])
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label))

/** Filters by person, patient, action, type and date. */
export function AuditToolbar({ search, onChange }: AuditProps) {
  const accounts = useQuery(orpc.people.accounts.queryOptions()).data ?? []
  const keys = useQuery(orpc.apiKeys.list.queryOptions()).data ?? []
  const people = [
    ...accounts.map(({ id, fullName }) => ({ value: id, label: fullName })),
    ...keys.map(({ id, name }) => ({ value: id, label: `${name} (API key)` })),
  ]
  return (
    <div
      role="search"
      aria-label="Audit log"
      className="grid grid-cols-2 gap-2 border-y border-line py-2 md:grid-cols-3 xl:grid-cols-[repeat(4,minmax(0,1fr))_repeat(2,11rem)]"
    >
      <ToolbarSelect
        label="Person"
        value={search.person}
        onChange={(person) => onChange({ person })}
        options={people}
        any="All staff"
        className="min-w-0"
      />
      <PatientFilter value={search.patient} onChange={(patient) => onChange({ patient })} className="min-w-0" />
      <ToolbarSelect
        label="Action"
        value={search.action}
        onChange={(action) => onChange({ action })}
        options={actions}
        any="All actions"
        className="min-w-0"
      />
      <ToolbarSelect
        label="About"
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
        options={kinds}
        any="All types"
        className="min-w-0"
      />
      <ToolbarDays from={search.from} to={search.to} onChange={(side, day) => onChange({ [side]: day })} className="min-w-0" />
    </div>
  )
}
