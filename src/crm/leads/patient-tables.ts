import { type SQL, sql } from 'drizzle-orm'
import type { PatientTables, Subject } from '../../kernel/patient-tables/registry.ts'

export const leadTables = {
  lead_entries: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`(select name from lead_sources where id = (${row}->>'source_id')::uuid)` },
    // Also deletes lead forms with one of the patient's addresses that belong to no patient. Those of another patient with that address are
    // kept.
    deletion: {
      also: (ids) => sql`
        select owner, lead_entries.id from lead_entries join (
          select id as owner, unnest(lower_all(array_append(other_emails, email))) as address
          from contacts where id = any(${ids}) and email is not null
        ) as addresses on lower(raw_data->>'email') = address
        where contact_id is null and lead_entries.status <> 'processing'`,
    },
    restore: 'unchanged',
    retention: { cameWithForm: (before) => sql`child.received_at < ${before}` },
    importUndo: 'keeps-patient',
    export: { where: byPatientOrAddress },
  },
} satisfies Partial<PatientTables>

/** Matches the patient's lead forms, and those without a patient that have an address which only this patient has. */
function byPatientOrAddress({ contactId, addresses }: Subject): SQL {
  const address = sql`lower(raw_data->>'email')`
  return sql`mine.id in (
    select id from lead_entries where contact_id = ${contactId}
    union all
    select id from lead_entries where contact_id is null and status <> 'processing' and ${address} = any(array(${addresses}))
      and not exists (
        select 1 from contacts as other where other.id <> ${contactId}
          and (lower(other.email) = ${address} or (other.other_emails <> '{}' and lower_all(other.other_emails) @> array[${address}]))))`
}
