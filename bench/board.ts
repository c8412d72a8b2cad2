import { encodeCursor } from '../src/shared/page-lists.ts'
import type { Clinic } from './clinic/clinic.ts'
import type { LoadRequest } from './load/protocol.ts'
import { withClinic } from './load/measure.ts'
import type { Options } from './options.ts'
import type { Row } from './report.ts'

/** Measures the board against the baseline server's plain SQL at each size, with 1 and 16 connections. */
export async function benchBoard({ sizes, seconds, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await withClinic(size, seconds, only, measureBoard)))
  return rows
}

const measureBoard: Parameters<typeof withClinic>[3] = async (clinic, measure) => {
  await clinic.query('vacuum analyze contacts')
  await measure('first board', [get('')])
  await measure(
    'board of an owner',
    (await owners(clinic)).map(({ id }) => get(`?filter=owner:${id}`)),
  )
  await measure(
    'board of an owner and a procedure',
    (await pairs(clinic)).map((row) => get(`?filter=owner:${row.owner};procedure:${row.procedure}`)),
    { aims: [{ of: 'ratio', atLeast: 0.7 }] },
  )
  await measure(
    'more cards of a column',
    (await places(clinic)).map(({ stage, place }) => get(`/columns/${stage}?limit=50&cursor=${encodeCursor(place)}`)),
  )
}

const get = (rest: string): LoadRequest => ({ method: 'GET', path: `/api/contacts/board${rest}` })

const owners = (clinic: Clinic) =>
  clinic.query<{ id: string }>('select distinct assigned_sales_rep_id as id from contacts where assigned_sales_rep_id is not null')

const pairs = (clinic: Clinic) =>
  clinic.query<{ owner: string; procedure: string }>(`
    select assigned_sales_rep_id as owner, procedure_of_interest as procedure from contacts
    where assigned_sales_rep_id is not null and procedure_of_interest is not null group by 1, 2 order by count(*), 1, 2 limit 20`)

/** Positions throughout the columns, including the deepest. */
const places = (clinic: Clinic) =>
  clinic.query<{ stage: string; place: string }>(`
    select funnel_stage as stage, to_char(stage_entered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || seq as place
    from contacts order by md5(id::text) limit 200`)
