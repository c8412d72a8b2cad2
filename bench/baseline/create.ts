import type pg from 'pg'

type NewContact = { firstName: string; lastName: string; email: string; phone: string }

const stage = `select id from funnel_stages where id::text = lower($1) or lower(name) = lower($1) or lower(value) = lower($1) limit 1`
const lock = `select pg_advisory_xact_lock(hashtextextended(lower($1), 0))`
const known = `select * from contacts where lower(email) = lower($1) order by seq limit 1`
const contact = `insert into contacts (first_name, last_name, email, phone, funnel_stage, created_at, updated_at, stage_entered_at)
  values ($1, $2, $3, $4, $5, $6, $6, $6) returning *`
const history = `insert into contact_stage_history (contact_id, to_stage, changed_at) values ($1, $2, $3)`
const interaction = `insert into interactions (contact_id, type, description, date) values ($1, $2, $3, $4) returning *`
const notify = `select pg_notify('change', $1)`

/** Adds a contact in one transaction with everything our server writes except the audit entry. */
export async function createContact(pool: pg.Pool, { firstName, lastName, email, phone }: NewContact): Promise<unknown> {
  const client = await pool.connect()
  const run = async (name: string, text: string, values: unknown[]) =>
    (await client.query<Record<string, unknown>>({ name, text, values })).rows[0]
  try {
    await client.query('begin')
    const now = new Date()
    const stageId = (await run('stage', stage, ['lead']))!.id
    await run('lock', lock, [email])
    if (await run('known', known, [email])) throw new Error('This email is taken')
    const row = (await run('contact', contact, [firstName, lastName, email, phone, stageId, now]))!
    await run('history', history, [row.id, stageId, now])
    await run('interaction', interaction, [row.id, 'contact_created', 'Patient added', now])
    await run('notify', notify, [JSON.stringify({ topic: 'interaction', id: row.id })])
    await run('notify', notify, [JSON.stringify({ topic: 'contact', id: row.id })])
    await client.query('commit')
    return row
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
