import { createHash } from 'node:crypto'
import type pg from 'pg'
import { patientStatuses } from '../billing/quotes/rules.ts'
import { portalRole } from '../kernel/as-patient.ts'
import { orProblem } from '../kernel/postgres/migrate.ts'

/**
 * Sets up the database role of the patient portal (see kernel/as-patient.ts). It can only access documents, quotes, intake forms, consent forms,
 * appointments, surgeries, messages of the portal, receipts and released photos, and of these only rows that were shared with or sent to the patient whose id is set in the transaction. The role cannot log in; the application's role can
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
  await client.query(`grant usage on schema public to ${portal}`)
  await client.query(`grant select, insert on documents to ${portal}`)
  await client.query(`grant select on quotes to ${portal}`)
  await client.query(`grant select, update (${formColumns.join(', ')}) on forms to ${portal}`)
  await client.query(`grant select, update (${consentColumns.join(', ')}) on consent_forms to ${portal}`)
  await guardVisits(client, app, portal, isOwnRow)
  await defineViews(client, portal, isOwnRow)
  await setPolicies(client, 'documents', [
    `application on documents to ${app} using (true) with check (true)`,
    `portal_reads on documents for select to ${portal} using (${isOwnRow} and deleted_at is null and is_shared)`,
    `portal_adds on documents for insert to ${portal} with check (${isOwnRow} and upload_source = 'patient' and uploaded_by is null)`,
  ])
  await setPolicies(client, 'quotes', [
    `application on quotes to ${app} using (true) with check (true)`,
    `portal_reads on quotes for select to ${portal} using (${isOwnRow} and status in (${visibleStatuses}))`,
  ])
  await setPolicies(client, 'forms', [
    `application on forms to ${app} using (true) with check (true)`,
    `portal_reads on forms for select to ${portal} using (${isOwnRow})`,
    `portal_fills_in on forms for update to ${portal} using (${isOwnRow})
      with check (${isOwnRow} and status in ('started', 'submitted'))`,
  ])
  await setPolicies(client, 'consent_forms', [
    `application on consent_forms to ${app} using (true) with check (true)`,
    `portal_reads on consent_forms for select to ${portal} using (${isOwnRow})`,
    `portal_decides on consent_forms for update to ${portal} using (${isOwnRow})
      with check (${isOwnRow} and status in ('sent', 'signed', 'declined', 'withdrawn') and withdrawal_recorded_by is null)`,
  ])
}

/** What a patient changes by signing, asking about, declining or withdrawing a consent form. */
const consentColumns = `status language asked_at text text_hash procedure_ids signing scopes signed_at declined_at decline_reason
  withdrawn_on withdrawn_by withdrawn_at withdrawal_recorded_by withdrawn_scopes`.split(/\s+/)

/** Appointments and surgeries: when, with whom and where, nothing that staff note about them. */
async function guardVisits(client: pg.Client, app: string, portal: string, isOwnRow: string) {
  const columns = {
    appointments: 'id, contact_id, type, provider_id, room_id, starts_at, status',
    surgeries: 'id, contact_id, procedures, starts_at, status',
  }
  for (const [table, readable] of Object.entries(columns)) {
    await client.query(`grant select (${readable}) on ${table} to ${portal}`)
    await setPolicies(client, table, [
      `application on ${table} to ${app} using (true) with check (true)`,
      `portal_reads on ${table} for select to ${portal} using (${isOwnRow})`,
    ])
  }
}

/**
 * What the role reads of tables that are large and searched by staff: row-level security on these would keep PostgreSQL from using statistics
 * for their searches. Each view has the owner's rights and shows the patient's rows only.
 */
async function defineViews(client: pg.Client, portal: string, isOwnRow: string) {
  const views = {
    own_messages: `select messages.id, conversation_id, direction, body, messages.created_at, read_at
      from conversations join messages on conversation_id = conversations.id where channel = 'portal' and ${isOwnRow}`,
    own_receipts: `select sales_receipts.id, kind, doc_number, qb_id, lines, is_deposit, total_cents, payment_method, created_at
      from contact_customers join sales_receipts using (customer_id) where state = 'complete' and ${isOwnRow}`,
    own_photos: `select photos.id, photos.view, photos.taken_at, photos.series_id, shot_list, time_point, taken_on
      from photo_releases join photos on photos.id = photo_id and photos.contact_id = photo_releases.contact_id
      join photo_series on photo_series.id = photos.series_id
      where taken_back_at is null and photos.deleted_at is null and photo_releases.${isOwnRow}`,
  }
  for (const [name, query] of Object.entries(views)) {
    const mark = createHash('sha256').update(query).digest('hex')
    const { rows } = await client.query<{ mark: string | null }>("select obj_description(to_regclass($1), 'pg_class') as mark", [name])
    if (rows[0]!.mark !== mark) {
      await client.query(`drop view if exists ${name}`)
      await client.query(`create view ${name} with (security_barrier) as ${query}`)
      await client.query(`comment on view ${name} is '${mark}'`)
    }
    await client.query(`grant select on ${name} to ${portal}`)
  }
}

/** What a patient changes by filling in a form. */
const formColumns = ['status', 'answers', 'progress', 'revision', 'language', 'started_at', 'submitted_at', 'red_flags']

/**
 * Gives a table these policies and no others, unless it has them: replacing them waits for everyone who reads the table, such as a dump, and
 * everyone else waits behind it.
 */
async function setPolicies(client: pg.Client, table: string, policies: readonly string[]): Promise<void> {
  const mark = createHash('sha256').update(policies.join()).digest('hex')
  const { rows } = await client.query<{ name: string; mark: string | null }>(
    `select polname as name, obj_description(p.oid, 'pg_policy') as mark from pg_policy p join pg_class c on c.oid = polrelid
     where polrelid = $1::regclass and relrowsecurity`,
    [table],
  )
  if (rows.length === policies.length && rows.every((row) => row.mark === mark)) return
  const { rows: old } = await client.query<{ name: string }>('select polname as name from pg_policy where polrelid = $1::regclass', [table])
  for (const { name } of old) await client.query(`drop policy ${client.escapeIdentifier(name)} on ${table}`)
  for (const policy of policies) {
    await client.query(`create policy ${policy}`)
    await client.query(`comment on policy ${policy.split(' ')[0]} on ${table} is '${mark}'`)
  }
  await client.query(`alter table ${table} enable row level security`)
}
