import { type Clinic, openClinic } from '../clinic/clinic.ts'
import { newPeople } from '../clinic/people.ts'
import { signIn } from '../clinic/session.ts'
import { importUnknownPatients, newestNumber, removeNewerThan } from '../clinic/unknown-patients.ts'
import { measurePair, type SideRequests, type Sides } from '../load/pair.ts'
import { startLoad, startServer } from '../load/processes.ts'
import type { LoadRequest } from '../load/protocol.ts'
import type { Options } from '../options.ts'
import { type Aim, aimsAt, progress, type Row } from '../report.ts'
import { installPostgrest, startPostgrest } from './postgrest.ts'

const connections = [1, 16]
/** The targets are those of 16 connections; times are in milliseconds. */
const aimed = { connections: 16 }
const newer = 160_000
const unmatched = ', newer rows do not match'
/** What our list shows of a patient. */
const listColumns =
  'id,first_name,last_name,email,phone,version,city,status,lead_source,lead_source_text,funnel_stage,stage_entered_at,procedure_of_interest,procedure_text,assigned_sales_rep_id,assigned_provider_id,last_contact_date,next_follow_up_date,created_at,updated_at'
const hitColumns = 'id,first_name,last_name,email,phone'

type Case = {
  name: string
  aims: Aim[]
  requests: SideRequests
  /** What ours is compared with, if not PostgREST as it is: PostgREST that counts too, or our own server. */
  against?: 'counting' | 'ours'
  kind?: 'search' | 'write'
}

/**
 * Compares our API with PostgREST on the same rows. Ours checks the session and the permission, returns a total and records who saw whom;
 * PostgREST does none of that.
 */
export async function benchPeers({ sizes, seconds, only }: Options): Promise<Row[]> {
  const program = installPostgrest()
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await benchSize(program, size, seconds, only)))
  return rows
}

async function benchSize(program: string, size: number, seconds: number, only: string): Promise<Row[]> {
  const clinic = await openClinic(size)
  const server = await startServer(clinic.ownerUrl)
  const postgrest = await startPostgrest(program, clinic.ownerUrl)
  const load = startLoad()
  const rows: Row[] = []
  try {
    const cookie = await signIn(clinic.ownerUrl, server.url)
    const sides: Sides = { load, ours: { url: server.url, headers: { cookie } }, bare: { url: postgrest.url, headers: {} } }
    const others = { counting: { url: postgrest.url, headers: { prefer: 'count=exact' } }, ours: sides.ours }
    const measure = async ({ name: caseName, requests, aims, against }: Case, suffix = '') => {
      const name = caseName + suffix
      if (!name.includes(only)) return
      for (const number of connections) {
        const label = `${size.toLocaleString('en-CA')}: ${name}`
        const { row } = await measurePair(against ? { ...sides, bare: others[against] } : sides, label, number, seconds, requests)
        row.aims = aimsAt(number, aims)
        progress(`  ${label}, ${number} connections: ${row.ours.toFixed(0)} against ${row.baseline?.toFixed(0)} a second, ${row.ratio}`)
        rows.push(row)
      }
    }
    const cases = await drawCases(clinic)
    const newest = await newestNumber(clinic)
    for (const given of cases) {
      await measure(given)
      if (given.kind === 'write') await removeNewerThan(clinic, newest)
    }
    const searches = cases.filter(({ kind, name }) => kind === 'search' && `${name}${unmatched}`.includes(only))
    if (searches.length > 0) {
      progress(`  importing ${newer.toLocaleString('en-CA')} newer patients who match nothing`)
      await importUnknownPatients(clinic, newer)
      const clean = [...rows]
      for (const given of searches) await measure({ ...given, aims: likeClean(clean, given.name) }, unmatched)
    }
  } catch (error) {
    process.stderr.write(server.output() + postgrest.output())
    throw error
  } finally {
    await Promise.all([load.stop(), server.stop(), postgrest.stop()])
    await clinic.close()
  }
  return rows
}

/** The targets after the import: 0.8 of the throughput before it, and twice its p99. None if the case was not measured before. */
function likeClean(clean: Row[], name: string): Aim[] {
  const before = clean.find((row) => row.case.endsWith(`: ${name}`) && row.connections === aimed.connections)
  if (!before) return []
  return [
    { of: 'ours', atLeast: 0.8 * before.ours, ...aimed },
    { of: 'oursP99', atMost: 2 * before.oursP99!, ...aimed },
  ]
}

const ratioOf = (atLeast: number): Aim => ({ of: 'ratio', atLeast, ...aimed })

async function drawCases(clinic: Clinic): Promise<Case[]> {
  const people = await clinic.query<{ id: string; last: string; digits: string }>(
    `select id, last_name as last, right(regexp_replace(phone, '[^0-9]', '', 'g'), 7) as digits from contacts
     where length(regexp_replace(phone, '[^0-9]', '', 'g')) >= 10 and phone !~ 'x' order by md5(id::text) limit 400`,
  )
  const [stage] = await clinic.query<{ id: string }>('select id from funnel_stages where is_initial')
  const newest = get(`/contacts?select=${listColumns}&order=seq.desc&limit=50`)
  const matching = (columns: string, term: string, limit: number) =>
    get(`/contacts?select=${columns}&search_text=ilike.*${encodeURIComponent(term)}*&order=seq.desc&limit=${limit}`)
  const found = (term: string) => get(`/api/contacts/find?search=${encodeURIComponent(term)}`)
  return [
    { name: 'newest 50 with total', aims: [ratioOf(1.3)], requests: { ours: [get('/api/contacts?limit=50')], bare: [newest] } },
    {
      name: 'newest 50 with total, counted by both',
      aims: [ratioOf(4)],
      against: 'counting',
      requests: { ours: [get('/api/contacts?limit=50')], bare: [newest] },
    },
    {
      name: 'search by last name, page of 50',
      aims: [ratioOf(2), { of: 'oursP99', atMost: 120, ...aimed }],
      kind: 'search',
      requests: {
        ours: people.map(({ last }) => get(`/api/contacts?limit=50&search=${encodeURIComponent(last)}`)),
        bare: people.map(({ last }) => matching(listColumns, last, 50)),
      },
    },
    {
      name: 'palette, last name',
      aims: [ratioOf(1.5)],
      kind: 'search',
      requests: { ours: people.map(({ last }) => found(last)), bare: people.map(({ last }) => matching(hitColumns, last, 15)) },
    },
    {
      name: 'palette, phone digits',
      aims: [ratioOf(1.1)],
      kind: 'search',
      requests: { ours: people.map(({ digits }) => found(digits)), bare: people.map(({ digits }) => matching(hitColumns, digits, 15)) },
    },
    {
      name: 'get by id',
      aims: [ratioOf(1.2)],
      requests: { ours: people.map(({ id }) => get(`/api/contacts/${id}`)), bare: people.map(({ id }) => get(`/contacts?id=eq.${id}`)) },
    },
    {
      name: 'session, beside the health check',
      aims: [{ of: 'ours', atLeast: 3_500, ...aimed }],
      against: 'ours',
      requests: { ours: [get('/api/auth/session')], bare: [get('/health/live')] },
    },
    {
      name: 'create, committed',
      aims: [ratioOf(0.8)],
      kind: 'write',
      requests: {
        ours: newPeople.map(({ firstName, lastName, phone }) =>
          post('/api/contacts', { firstName, lastName, email: 'new.[<id>]@bench.example', phone }),
        ),
        bare: newPeople.map(({ firstName, lastName, phone }) =>
          post('/contacts', {
            first_name: firstName,
            last_name: lastName,
            email: 'peer.[<id>]@bench.example',
            phone,
            funnel_stage: stage!.id,
          }),
        ),
      },
    },
  ]
}

const get = (path: string): LoadRequest => ({ method: 'GET', path })

const post = (path: string, body: object): LoadRequest => ({ method: 'POST', path, body: JSON.stringify(body) })
