import { encodeCursor } from '../../src/shared/page-lists.ts'
import { addEntries, clinicSize } from './entries.ts'
import { measureAuditWrites } from './writes.ts'
import type { Clinic } from '../clinic/clinic.ts'
import type { LoadRequest } from '../load/protocol.ts'
import { withClinic } from '../load/measure.ts'
import type { Options } from '../options.ts'
import type { Side } from '../load/pair.ts'
import { median, progress, ratio, type Row, toRow } from '../report.ts'
import { account } from '../clinic/session.ts'

/** Of a page of the log, in milliseconds. */
const pageAim = { of: 'oursP50', atMost: 100 } as const
const rounds = 5

/**
 * Measures the audit log at `rows` entries against the same SQL without our server: pages, filters, access logs and the start of an export.
 * Then measures what the log's indexes add to a view, and what the webhook triggers add to a new patient.
 */
export async function benchAudit({ rows: count, seconds, only }: Options): Promise<Row[]> {
  const extra: Row[] = []
  const measured = await withClinic(clinicSize, seconds, '', async (clinic, measureAll, { ours }) => {
    const measure: typeof measureAll = async (name, requests, given) =>
      name.includes(only) ? measureAll(`${count.toLocaleString('en-CA')} entries, ${name}`, requests, given) : undefined
    await addEntries(clinic, count)
    const last = await lastEntry(clinic)
    if ('export'.includes(only)) extra.push(await exportBegins(clinic, ours, count))
    // Views are logged too: a cursor keeps the result the same.
    const page = (filters: string): LoadRequest => ({ method: 'GET', path: `/api/audit?cursor=${encodeCursor(last.id + 1)}${filters}` })
    const given = { aims: [pageAim], connections: [1] }
    await measure('newest page', [page('')], given)
    await measure('a page half-way', [{ method: 'GET', path: `/api/audit?cursor=${encodeCursor(Math.floor(last.id / 2))}` }], given)
    const people = await clinic.query<{ id: string }>('select id from profiles order by id limit 5')
    await measure(
      'of one person',
      people.map(({ id }) => page(`&actorId=${id}`)),
      given,
    )
    for (const kind of ['contact', 'retention', 'webhook']) await measure(`about: ${kind}`, [page(`&kind=${kind}`)], given)
    for (const action of ['denied', 'exported', 'restored']) await measure(`action: ${action}`, [page(`&action=${action}`)], given)
    await measure(
      'of one person, about what they never touch',
      people.map(({ id }) => page(`&actorId=${id}&kind=conversation`)),
      given,
    )
    await measure('about, with an action that it never has', [page('&kind=interaction&action=exported')], given)
    const day = (ago: number) => new Date(last.at.getTime() - ago * 86_400_000).toISOString().slice(0, 10)
    await measure('of one day', [page(`&from=${day(180)}&to=${day(180)}`)], given)
    await measure('of one day, about', [page(`&from=${day(180)}&to=${day(180)}&kind=document`)], given)
    for (const [name, ids] of Object.entries(await somePatients(clinic))) {
      await measure(
        `entries, ${name}`,
        ids.map((id) => page(`&contactId=${id}`)),
        given,
      )
      await measure(
        `changes, ${name}`,
        ids.map((id) => page(`&contactId=${id}&action=changed`)),
        given,
      )
      await measure(
        `access log, ${name}`,
        ids.map((id) => ({ method: 'GET', path: `/api/contacts/${id}/views?cursor=${encodeCursor(day(0))}` })),
        given,
      )
    }
    if ('what a write costs'.includes(only)) extra.push(...(await measureAuditWrites(clinic, count)))
  })
  return [...measured, ...extra]
}

const lastEntry = async (clinic: Clinic) => {
  const [row] = await clinic.query<{ id: string; at: Date }>('select id, at from audit_log order by id desc limit 1')
  return { id: Number(row!.id), at: row!.at }
}

/** Patients that appear in many lists, in few, and in none. */
async function somePatients(clinic: Clinic): Promise<Record<string, string[]>> {
  const at = async (place: number) =>
    (
      await clinic.query<{ id: string }>('select id from contacts order by seq desc offset $1 limit 5', [Math.floor(clinicSize * place)])
    ).map(({ id }) => id)
  const [added] = await clinic.query<{ id: string }>(
    `insert into contacts (first_name, last_name, funnel_stage) select 'No one', 'Saw', id from funnel_stages where is_initial returning id`,
  )
  return { 'patient often viewed': await at(0), 'patient sometimes viewed': await at(0.5), 'patient never viewed': [added!.id] }
}

/** Times the arrival of the first lines of a full export, in milliseconds, against the query that reads them. */
async function exportBegins(clinic: Clinic, { url, headers }: Side, count: number): Promise<Row> {
  const [ours, bare]: [number[], number[]] = [[], []]
  // Filling the log takes longer than a step-up stays valid.
  const proof = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ password: account.password }),
  }
  if (!(await fetch(`${url}/api/auth/step-up`, proof)).ok) throw new Error('The step-up was refused')
  for (let round = 0; round < rounds; round++) {
    const abort = new AbortController()
    const begin = performance.now()
    const answer = await fetch(`${url}/api/audit.csv`, { headers, signal: abort.signal })
    if (!answer.ok || !answer.body) throw new Error(`The export answered ${answer.status}: ${await answer.text()}`)
    let bytes = 0
    for await (const chunk of answer.body) {
      bytes += chunk.length
      if (bytes > 2_000) break
    }
    ours.push(performance.now() - begin)
    abort.abort()
    const begun = performance.now()
    await clinic.query(
      'select audit_log.*, full_name from audit_log left join profiles on profiles.id = actor_id order by audit_log.id desc limit 501',
    )
    bare.push(performance.now() - begun)
  }
  const row = { ours: median(ours), baseline: median(bare) }
  const name = `${count.toLocaleString('en-CA')} entries, an export begins`
  progress(`  ${name}: ${row.ours.toFixed(1)} ms against ${row.baseline.toFixed(1)} ms`)
  return toRow({ ...row, case: name, unit: 'ms', ratio: ratio(row.ours, row.baseline) })
}
