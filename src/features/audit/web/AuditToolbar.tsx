import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../web/api.ts'
import { DateInput } from '../../../web/ui/DateInput.tsx'
import { Select } from '../../../web/ui/Select.tsx'
import { ContactPicker } from '../../contacts/web/embed/ContactPicker.tsx'
import { auditActions, type AuditKind, auditKinds } from '../rules.ts'
import type { AuditProps } from './audit-search.ts'
import { actionLabels } from './words.ts'

const small = 'h-11 text-sm md:h-(--control) md:text-sm'
const actions = auditActions.map((value) => ({ value, label: actionLabels[value] }))
const kinds = (Object.entries(auditKinds) as [AuditKind, string][])
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label))

/** Who, of whom, what and when. */
export function AuditToolbar({ search, onChange }: AuditProps) {
  const accounts = useQuery(orpc.people.accounts.queryOptions()).data ?? []
  const keys = useQuery(orpc.apiKeys.list.queryOptions()).data ?? []
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: search.patient ?? '' }, enabled: search.patient !== undefined }))
  return (
    <div role="search" aria-label="Audit log" className="grid grid-cols-2 gap-2 border-y border-line py-2 md:grid-cols-3 xl:grid-cols-6">
      <div>
        <Select
          aria-label="Person"
          value={search.person ?? null}
          onValueChange={(person) => onChange({ person: person ?? undefined })}
          options={[
            ...accounts.map(({ id, fullName }) => ({ value: id, label: fullName })),
            ...keys.map(({ id, name }) => ({ value: id, label: `${name} (API key)` })),
          ]}
          noneLabel="Anybody"
          className={small}
        />
      </div>
      <div className="[&_[role=combobox]]:h-11 [&_[role=combobox]]:text-sm md:[&_[role=combobox]]:h-(--control)">
        <ContactPicker
          aria-label="Patient"
          value={search.patient ?? null}
          onValueChange={(id) => onChange({ patient: id ?? undefined })}
          selected={patient.data ?? null}
          placeholder="Any patient"
          clearable
        />
      </div>
      <div>
        <Select
          aria-label="Deed"
          value={search.action ?? null}
          onValueChange={(action) => onChange({ action: action ?? undefined })}
          options={actions}
          noneLabel="Any deed"
          className={small}
        />
      </div>
      <div>
        <Select
          aria-label="About"
          value={search.kind ?? null}
          onValueChange={(kind) => onChange({ kind: kind ?? undefined })}
          options={kinds}
          noneLabel="Anything"
          className={small}
        />
      </div>
      <DateInput
        aria-label="From"
        leading="From"
        value={search.from ?? ''}
        max={search.to}
        onValueChange={(day) => onChange({ from: day || undefined })}
        className={small}
      />
      <DateInput
        aria-label="To"
        leading="To"
        value={search.to ?? ''}
        min={search.from}
        onValueChange={(day) => onChange({ to: day || undefined })}
        className={small}
      />
    </div>
  )
}
