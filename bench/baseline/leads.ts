import type pg from 'pg'

/** Creates a copy of the lead entries table with its indexes. */
export const createBareLeads = 'create table bare_leads (like lead_entries including all)'

const insert = `insert into bare_leads (source_id, raw_data, raw_body, content_type) values ($1, $2, $3, $4) returning id`

/** Commits a lead as a single row, without a claim, a job or a contact. */
export async function insertLead(pool: pg.Pool, sourceId: string, body: string, contentType: string): Promise<unknown> {
  const { rows } = await pool.query<{ id: string }>({ name: 'lead', text: insert, values: [sourceId, JSON.parse(body), body, contentType] })
  return { id: rows[0]!.id, status: 'processing' }
}
