import type pg from 'pg'
import { contactMatch } from '../../src/crm/contacts/list-contract.ts'
import { contactSummary } from '../../src/crm/contacts/contact-contract.ts'
import { contacts } from '../../src/crm/contacts/table.ts'

type Summary = keyof typeof contactSummary.shape

const read = (keys: string[]) => (keys as Summary[]).map((key) => `"${contacts[key].name}" as "${key}"`).join(', ')
/** The columns of a list row, as our server reads them. */
export const columns = read(Object.keys(contactSummary.shape))
/** The columns of a match in the command palette. */
export const matchColumns = read(Object.keys(contactMatch.shape))

const newest = `select ${columns} from contacts order by seq desc limit $1 offset $2`
const total = 'select coalesce(sum(change), 0) as total from contact_counts'

/** The newest 50 contacts and the total number of contacts. */
export async function newestContacts(pool: pg.Pool): Promise<unknown> {
  const [page, count] = await Promise.all([
    pool.query({ name: 'newest', text: newest, values: [50, 0] }),
    pool.query<{ total: string }>({ name: 'total', text: total, values: [] }),
  ])
  return { data: page.rows, total: Number(count.rows[0]!.total) }
}

export async function getContact(pool: pg.Pool, id: string): Promise<unknown> {
  const { rows } = await pool.query<Record<string, unknown>>({ name: 'get', text: 'select * from contacts where id = $1', values: [id] })
  return rows[0] ?? null
}
