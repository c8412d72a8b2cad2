import { setTimeout as wait } from 'node:timers/promises'
import { clientOf } from '../../test/server.ts'
import type { Clinic } from '../clinic/clinic.ts'
import { fileOf, unknownPatients } from '../clinic/people.ts'
import { drawKeystrokes, drawTerms } from '../clinic/terms.ts'
import { type Load, type Process, startLoad } from '../load/processes.ts'
import type { LoadRequest } from '../load/protocol.ts'
import { progress, quantile, ratio, type Row } from '../report.ts'
import { lead } from './day.ts'
import { loopDelay } from './server.ts'

const connections = 16
const quietRounds = 2
/** How many clients send leads at the same time. */
const leadClients = 2
/** As many patients are imported for each lead. */
const patientsPerLead = 2

type Read = { name: string; requests: LoadRequest[] }
type Latencies = Map<Read, number[]>

/** Measures each kind of read with 16 connections: alone, then while leads are processed and twice as many patients imported. */
export async function measureBusy(clinic: Clinic, contacts: number, server: Process, cookie: string, leads: number, seconds: number) {
  const reads = await readsOf(clinic, contacts)
  const load = startLoad()
  try {
    const readAll = (latencies: Latencies) => measureReads(load, server, cookie, reads, seconds, latencies)
    await readAll(new Map())
    const [quiet, busy]: [Latencies, Latencies] = [new Map(), new Map()]
    for (let round = 0; round < quietRounds; round++) await readAll(quiet)
    await loopDelay(server)

    const begin = performance.now()
    const took: Record<string, number> = {}
    const until = async (name: string, work: Promise<void>) => {
      await work
      took[name] = (performance.now() - begin) / 1000
    }
    const over = new AbortController()
    const work = Promise.all([
      until('leads', processLeads(clinic, server.url, leads)),
      until('import', importPatients(server.url, cookie, leads * patientsPerLead)),
    ]).finally(() => over.abort())
    work.catch(() => {}) // a failed read is thrown first, and ends the server
    while (!over.signal.aborted) await readAll(busy)
    await work
    const { p50, p99, max } = await loopDelay(server)
    progress(
      `  busy: ${leads} leads in ${took.leads!.toFixed(0)} s, import in ${took.import!.toFixed(0)} s; event loop delay p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${max.toFixed(0)} ms`,
    )
    return reads.map((read) => rowOf(read.name, quiet.get(read)!, busy.get(read)!))
  } finally {
    await load.stop()
  }
}

async function readsOf(clinic: Clinic, contacts: number): Promise<Read[]> {
  const get = (path: string): LoadRequest => ({ method: 'GET', path })
  const ids = await clinic.query<{ id: string }>('select id from contacts order by md5(id::text) limit 500')
  const terms = (await drawTerms(clinic, contacts)).find(({ kind }) => kind === 'two words')!.terms
  const keystrokes = (await drawKeystrokes(clinic, contacts)).flatMap((kind) => kind.terms)
  return [
    { name: 'newest 50', requests: [get('/api/contacts')] },
    { name: 'search', requests: terms.map((term) => get(`/api/contacts?search=${encodeURIComponent(term)}`)) },
    { name: 'palette', requests: keystrokes.map((term) => get(`/api/contacts/find?search=${encodeURIComponent(term)}`)) },
    { name: 'record', requests: ids.map(({ id }) => get(`/api/contacts/${id}`)) },
    { name: 'session', requests: [get('/api/auth/session')] },
  ]
}

async function measureReads(
  load: Load,
  { url }: Process,
  cookie: string,
  reads: Read[],
  seconds: number,
  latencies: Latencies,
): Promise<void> {
  for (const read of reads) {
    const result = await load.ask({ url, connections, seconds, headers: { cookie }, requests: read.requests })
    latencies.set(read, [...(latencies.get(read) ?? []), ...result.latencies.map(({ ms }) => ms)])
  }
}

/** Sends leads, and waits until each has become a patient. */
async function processLeads(clinic: Clinic, url: string, count: number): Promise<void> {
  let sent = 0
  const send = async () => {
    while (sent < count) {
      const { path, headers, body } = lead(1_000_000 + sent++)
      const response = await fetch(url + path, { method: 'POST', headers: headers!, body: body as string })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`A lead was answered ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: leadClients }, send))
  const waiting = () => clinic.query<{ left: boolean }>(`select exists (select 1 from lead_entries where status = 'processing') as left`)
  while ((await waiting())[0]!.left) await wait(200)
}

/** Uploads a file of patients, checks and runs it as the import's pages do. */
async function importPatients(url: string, cookie: string, count: number): Promise<void> {
  const { imports } = clientOf(url, cookie)
  const response = await fetch(`${url}/api/imports?name=patients.csv`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/octet-stream' },
    body: fileOf(unknownPatients(count)),
  })
  if (!response.ok) throw new Error(`The file was answered ${response.status}: ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  const reach = async (status: string) => {
    for (let current = ''; current !== status; await wait(200)) {
      const found = await imports.get({ id })
      current = found.status
    }
  }
  const { columns } = await imports.get({ id })
  await imports.check({ id, columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
  await reach('checked')
  await imports.run({ id, onMatch: 'skip' })
  await reach('done')
}

/** Baseline: the same reads alone. */
function rowOf(name: string, quiet: number[], busy: number[]): Row {
  const [ours, baseline] = [quantile(busy, 0.95), quantile(quiet, 0.95)]
  return {
    case: `${name} while leads and an import are processed, p95`,
    connections,
    unit: 'ms',
    ours,
    baseline,
    ratio: ratio(ours, baseline),
    oursP50: quantile(busy, 0.5),
    oursP99: quantile(busy, 0.99),
    baselineP50: quantile(quiet, 0.5),
    baselineP99: quantile(quiet, 0.99),
    aims: [{ of: 'ratio', atMost: 2 }],
  }
}
