import type pg from 'pg'
import { patientStatuses } from '../billing/quotes/rules.ts'
import { portalRole } from '../kernel/as-patient.ts'

/**
 * The role under which the patient portal works (see kernel/as-patient.ts): of all tables it reaches documents and
 * quotes alone, and of these the rows of the patient whose id the transaction carries: what was shared with them, or sent to them. No one signs in
 * under it; the application's role may take it on.
 */
export async function guardPortal(client: pg.Client, appRole: string) {
  const name = portalRole(appRole)
  const [app, portal] = [client.escapeIdentifier(appRole), client.escapeIdentifier(name)]
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name])
  if (!rowCount) await client.query(`create role ${portal} nologin nosuperuser nocreatedb nocreaterole`)
  const own = `contact_id = nullif(current_setting('refyne.patient', true), '')::uuid`
  const seen = patientStatuses.map((status) => client.escapeLiteral(status)).join(', ')
  const statements = [
    `grant ${portal} to ${app} with inherit false, set true`,
    `grant usage on schema public to ${portal}`,
    `grant select, insert on documents to ${portal}`,
    'alter table documents enable row level security',
    'drop policy if exists application on documents',
    `create policy application on documents to ${app} using (true) with check (true)`,
    'drop policy if exists portal_reads on documents',
    `create policy portal_reads on documents for select to ${portal} using (${own} and deleted_at is null and is_shared)`,
    'drop policy if exists portal_adds on documents',
    `create policy portal_adds on documents for insert to ${portal} with check (${own} and upload_source = 'patient' and uploaded_by is null)`,
    `grant select on quotes to ${portal}`,
    'alter table quotes enable row level security',
    'drop policy if exists application on quotes',
    `create policy application on quotes to ${app} using (true) with check (true)`,
    'drop policy if exists portal_reads on quotes',
    `create policy portal_reads on quotes for select to ${portal} using (${own} and status in (${seen}))`,
  ]
  for (const statement of statements) await client.query(statement)
}
