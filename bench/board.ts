import { type Clinic, openClinic } from './clinic.ts'
import type { LoadRequest } from './load-protocol.ts'
import type { Options } from './options.ts'
import { measurePair, type Sides } from './pair.ts'
import { startBare, startLoad, startServer } from './processes.ts'
import { progress, type Row } from './report.ts'
import { assertSameAnswers } from './same-answers.ts'
import { signIn } from './session.ts'

const manyConnections = 16

/** The board beside the bare twin's plain SQL, at each size, with one connection and with sixteen. */
export async function benchBoard({ sizes, seconds, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await benchSize(size, seconds, only)))
  return rows
}

async function benchSize(size: number, seconds: number, only: string): Promise<Row[]> {
  const clinic = await openClinic(size)
  await clinic.query('vacuum analyze contacts')
  const server = await startServer(clinic.ownerUrl)
  const bare = await startBare(clinic.appUrl)
  const load = startLoad()
  const rows: Row[] = []
  try {
    const cookie = await signIn(clinic.ownerUrl, server.url)
    const sides: Sides = { load, ours: { url: server.url, headers: { cookie } }, bare: { url: bare.url, headers: {} } }
    const cases: [name: string, requests: LoadRequest[]][] = [
      ['first board', [get('')]],
      ['board of an owner', (await owners(clinic)).map(({ id }) => get(`?filter=owner:${id}`))],
      [
        'board of an owner and a procedure',
        (await pairs(clinic)).map((row) => get(`?filter=owner:${row.owner};procedure:${row.procedure}`)),
      ],
      ['more cards of a column', (await places(clinic)).map(({ stage, after }) => get(`/${stage}?limit=50&after=${after}`))],
    ]
    for (const [name, requests] of cases.filter(([each]) => each.includes(only))) {
      if (requests.length === 0) throw new Error(`There is nothing to ask for: ${name}`)
      await assertSameAnswers(sides, requests)
      for (const connections of [1, manyConnections]) {
        const { row } = await measurePair(sides, `${size.toLocaleString('en-CA')}: ${name}`, connections, seconds, requests)
        progress(
          `  ${row.case}, ${connections} connections: ${row.ours.toFixed(0)} against ${row.baseline?.toFixed(0)} a second, ${row.ratio}`,
        )
        rows.push(row)
      }
    }
  } catch (error) {
    process.stderr.write(server.output() + bare.output())
    throw error
  } finally {
    await Promise.all([load.stop(), server.stop(), bare.stop()])
    await clinic.close()
  }
  return rows
}

const get = (rest: string): LoadRequest => ({ method: 'GET', path: `/api/contacts/board${rest}` })

const owners = (clinic: Clinic) =>
  clinic.query<{ id: string }>('select distinct assigned_sales_rep_id as id from contacts where assigned_sales_rep_id is not null')

const pairs = (clinic: Clinic) =>
  clinic.query<{ owner: string; procedure: string }>(`
    select assigned_sales_rep_id as owner, procedure_of_interest as procedure from contacts
    where assigned_sales_rep_id is not null and procedure_of_interest is not null group by 1, 2 order by count(*), 1, 2 limit 20`)

/** Places all over the columns, the deepest ones too. */
const places = (clinic: Clinic) =>
  clinic.query<{ stage: string; after: string }>(`
    select funnel_stage as stage, to_char(stage_entered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || seq as after
    from contacts order by md5(id::text) limit 200`)
