import type { ReactNode } from 'react'
import { type ContactFieldName, isOfKind } from '../crm/contacts/derived-fields.ts'
import { contactFieldDeclarations } from '../crm/contacts/fields.ts'
import type { RecordSection } from '../crm/contacts/declared-fields.ts'
import { recordRows } from '../crm/contacts/form-fields.ts'
import type { ContactData } from '../crm/contacts/web/embed/contact-data.ts'
import { capitalised, formerStaff, procedureName, sourceName } from '../crm/contacts/web/embed/contact-text.ts'
import { byId, type Directory } from '../crm/contacts/web/embed/directory.ts'
import { detailText, valueText } from '../crm/contacts/web/embed/field-labels.ts'
import { type Clock, formatAgo, formatDateTime, formatMoney } from '../ui/format.ts'
import { None } from '../ui/display/Table.tsx'
import { EditableFact } from './edit/EditableFact.tsx'

/** Props of the sections of the record panel. */
export interface PatientFacts {
  contact: ContactData
  directory: Directory
  clock: Clock
  /** Whether the user may see clinical notes. */
  clinical: boolean
}

/** The rows of a panel section, one for each field declared in it. */
export function DeclaredFacts({ section, contact, directory, clock, clinical }: PatientFacts & { section: RecordSection }) {
  return recordRows(section, { clinical }).map(({ name, fact, label, none }) => (
    <EditableFact key={name} fact={fact} label={label} className={isOfKind(name, 'amount') ? 'tabular-nums' : undefined}>
      {formatFact(name, contact, directory, clock) ?? <None>{none}</None>}
    </EditableFact>
  ))
}

/** A field's value, formatted by its kind; null if it is empty. */
function formatFact(name: ContactFieldName, contact: ContactData, directory: Directory, clock: Clock): ReactNode {
  if (isOfKind(name, 'tick')) return contact[name] ? 'Yes' : 'No'
  if (isOfKind(name, 'amount')) return contact[name] === null ? null : formatMoney(contact[name])
  if (isOfKind(name, 'status')) return capitalised(contact[name])
  if (isOfKind(name, 'stage')) return byId(directory.stages, contact.funnelStageId)?.name
  if (isOfKind(name, 'vocabulary')) return name === 'leadSource' ? sourceName(contact, directory) : procedureName(contact, directory)
  if (isOfKind(name, 'staff')) return <Staff id={contact[name]} directory={directory} none={contactFieldDeclarations[name].control.none} />
  if (isOfKind(name, 'moment')) {
    const at = contact[name]
    return at && <span title={formatDateTime(at, clock)}>{formatAgo(at, clock)}</span>
  }
  if (isOfKind(name, 'details')) return <Details details={contact[name]} />
  if (isOfKind(name, 'emails', 'phones')) return contact[name].map((value) => valueText(name, value)).join(', ') || null
  const text = contact[name]
  return text && valueText(name, text)
}

function Staff({ id, directory: { people }, none }: { id: string | null; directory: Directory; none: string }) {
  const person = byId(people, id)
  if (person) return person.fullName
  return <None>{id === null || people.length === 0 ? none : formerStaff}</None>
}

function Details({ details }: { details: ContactData['metadata'] }) {
  const entries = Object.entries(details ?? {})
  if (entries.length === 0) return <None />
  return entries.map(([name, value]) => (
    <span key={name} className="block">
      <span className="text-fg-3">{name}: </span>
      {detailText(value)}
    </span>
  ))
}
