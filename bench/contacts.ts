import { type Clinic, openClinic } from './clinic.ts'
import type { LoadRequest } from './load-protocol.ts'
import { measurePair, type Sides } from './pair.ts'
import { newPeople } from './people.ts'
import { startBare, startLoad, startServer } from './processes.ts'
import { progress, quantile, type Row } from './report.ts'
import type { Options } from './options.ts'
import { assertSameAnswers } from './same-answers.ts'
import { signIn } from './session.ts'
import { importStrangers, newestNumber, removeNewerThan } from './strangers.ts'
import { drawTerms, type TermKind } from './terms.ts'

const manyConnections = 16
const imported = 100_000
/** After the import: the kinds whose terms the strangers share none of. */
const rareAmongStrangers = ['name, common', 'name, rare', 'two words', 'phone digits in a row', 'phone digits with gaps', 'two letters']

/** The contacts' calls beside the bare twin's, at each size, with one connection and with sixteen. */
export async function benchContacts({ sizes, seconds, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await benchSize(size, seconds, only)))
  return rows
}

async function benchSize(size: number, seconds: number, only: string): Promise<Row[]> {
  const clinic = await openClinic(size)
  const server = await startServer(clinic.ownerUrl)
  const bare = await startBare(clinic.appUrl)
  const load = startLoad()
  const rows: Row[] = []
  try {
    const cookie = await signIn(clinic.ownerUrl, server.url)
    const sides: Sides = { load, ours: { url: server.url, headers: { cookie } }, bare: { url: bare.url, headers: {} } }
    const measure = async (name: string, requests: LoadRequest[], given: Partial<TermKind> = {}) => {
      if (!name.includes(only)) return
      if (requests.length === 0) throw new Error(`There is nothing to ask for: ${name}`)
      if (requests[0]!.method === 'GET') await assertSameAnswers(sides, requests)
      for (const connections of [1, manyConnections]) {
        const { row, ours } = await measurePair(sides, `${size.toLocaleString('en-CA')}: ${name}`, connections, seconds, requests)
        if (connections === 1 && given.p50) row.aim = aimOf(given.p50, given.p99 ?? null)
        if (given.terms)
          tellSlowest(
            given.terms,
            ours.flatMap(({ latencies }) => latencies),
          )
        progress(
          `  ${row.case}, ${connections} connections: ${row.ours.toFixed(0)} against ${row.baseline?.toFixed(0)} a second, ${row.ratio}`,
        )
        rows.push(row)
      }
    }
    const search = (kind: TermKind, suffix = '') => measure(`search, ${kind.kind}${suffix}`, kind.terms.map(searchFor), kind)

    await measure('newest 50 with total', [{ method: 'GET', path: '/api/contacts' }])
    const kinds = await drawTerms(clinic, size)
    for (const kind of kinds) await search(kind)
    await measure('get by id', await getAnyone(clinic))
    const newest = await newestNumber(clinic)
    await measure('create', newPatients)
    await removeNewerThan(clinic, newest)

    const later = kinds.filter(({ kind }) => rareAmongStrangers.includes(kind) && `search, ${kind} after an import`.includes(only))
    if (later.length > 0) {
      progress(`  importing ${imported.toLocaleString('en-CA')} strangers`)
      await importStrangers(clinic, imported)
      for (const kind of later) await search(kind, ' after an import')
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

/** As the form adds them, each with an e-mail address of its own every time it is sent. */
const newPatients: LoadRequest[] = newPeople.map(({ firstName, lastName, phone }) => ({
  method: 'POST',
  path: '/api/contacts',
  body: JSON.stringify({ firstName, lastName, email: 'new.[<id>]@bench.example', phone }),
}))

const searchFor = (term: string): LoadRequest => ({ method: 'GET', path: `/api/contacts?search=${encodeURIComponent(term)}` })

async function getAnyone(clinic: Clinic): Promise<LoadRequest[]> {
  const rows = await clinic.query<{ id: string }>(`select id from contacts order by md5(id::text) limit 500`)
  return rows.map(({ id }) => ({ method: 'GET', path: `/api/contacts/${id}` }))
}

const aimOf = (p50: number, p99: number | null) => (p99 === null ? `p50 ${p50} ms` : `p50 ${p50} ms, p99 ${p99} ms`)

/** The terms that take longest, so that a bad p99 has a name. */
function tellSlowest(terms: string[], latencies: { request: number; ms: number }[]): void {
  const byTerm = Map.groupBy(latencies, ({ request }) => request)
  const slowest = [...byTerm]
    .map(([request, all]) => ({
      term: terms[request]!,
      p50: quantile(
        all.map(({ ms }) => ms),
        0.5,
      ),
    }))
    .toSorted((a, b) => b.p50 - a.p50)
    .slice(0, 3)
  progress(`    slowest: ${slowest.map(({ term, p50 }) => `'${term}' ${p50.toFixed(1)} ms`).join(', ')}`)
}
