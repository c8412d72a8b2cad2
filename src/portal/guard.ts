import type pg from 'pg'
import { patientStatuses } from '../billing/quotes/rules.ts'
import { portalRole } from '../kernel/as-patient.ts'
import { orProblem } from '../kernel/postgres/migrate.ts'

/**
 * Sets up the database role of the patient portal (see kernel/as-patient.ts). It can only access documents and quotes, and of these only
 * rows that were shared with or sent to the patient whose id is set in the transaction. The role cannot log in; the application's role can
 * switch to it.
 */
export async function guardPortal(client: pg.Client, appRole: string) {
  const name = portalRole(appRole)
  const [app, portal] = [client.escapeIdentifier(appRole), client.escapeIdentifier(name)]
  const byHand = `${client.user} may not create roles. Run as a superuser: create role ${name}; grant ${name} to ${appRole} with inherit false, set true`
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name])
  if (!rowCount) await orProblem(client.query(`create role ${portal}`), byHand)
  const { rows } = await client.query<{ may: boolean }>(`select pg_has_role($1, $2, 'set') as may`, [appRole, name])
  if (!rows[0]!.may) await orProblem(client.query(`grant ${portal} to ${app} with inherit false, set true`), byHand)
  const isOwnRow = `contact_id = nullif(current_setting('refyne.patient', true), '')::uuid`
  const visibleStatuses = patientStatuses.map((status) => client.escapeLiteral(status)).join(', ')
  const statements = [
    `grant usage on schema public to ${portal}`,
    `grant select, insert on documents to ${portal}`,
    'alter table documents enable row level security',
    'drop policy if exists application on documents',
    `create policy application on documents to ${app} using (true) with check (true)`,
    'drop policy if exists portal_reads on documents',
    `create policy portal_reads on documents for select to ${portal} using (${isOwnRow} and deleted_at is null and is_shared)`,
    'drop policy if exists portal_adds on documents',
    `create policy portal_adds on documents for insert to ${portal} with check (${isOwnRow} and upload_source = 'patient' and uploaded_by is null)`,
    `grant select on quotes to ${portal}`,
    'alter table quotes enable row level security',
    'drop policy if exists application on quotes',
    `create policy application on quotes to ${app} using (true) with check (true)`,
    'drop policy if exists portal_reads on quotes',
    `create policy portal_reads on quotes for select to ${portal} using (${isOwnRow} and status in (${visibleStatuses}))`,
  ]
  for (const statement of statements) await client.query(statement)
}
