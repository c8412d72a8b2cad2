import { starters } from '../src/chart/forms/starters.ts'
import type { PdfDocument } from '../src/kernel/pdf/document.ts'
import { renderPdf } from '../src/kernel/pdf/render.ts'
import { createKey, seal } from '../src/platform/seals/sealing.ts'
import { recordStatements } from './baseline/chart.ts'
import type { Clinic } from './clinic/clinic.ts'
import { withClinic } from './load/measure.ts'
import type { Side, Sides } from './load/pair.ts'
import type { Options } from './options.ts'
import { progress, quantile, ratio, type Row, toRow } from './report.ts'

/** Of each patient that is opened. */
const [notes, forms, entries] = [300, 50, 2_000]
const patients = 20
const rounds = 15
/** Of opening everything. */
const aim = { of: 'ratio', atMost: 1.5 } as const

/** What the page of a patient asks for, all at once. */
const paths = ['', ...Object.keys(recordStatements).map((part) => `/${part}`)]

/** Measures opening the record of a patient with a long history against the same SQL without our server: all calls together, and each by itself. */
export async function benchChart({ sizes, seconds, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) {
    await withClinic(size, seconds, '', async (clinic, _measure, sides) => {
      const ids = await addHistories(clinic)
      const cases = [
        { name: 'open a record', asked: paths },
        ...paths.map((path) => ({ name: `open a record, ${path === '' ? 'the patient' : path.slice(1)}`, asked: [path] })),
      ]
      for (const { name, asked } of cases.filter((one) => one.name.includes(only)))
        rows.push(await measureOpening(`${size.toLocaleString('en-CA')}: ${name}`, asked, ids, sides))
    })
  }
  if ('seal a consent form'.includes(only)) rows.push(await measureSealing())
  return rows
}

/** Sealing a PDF of a few pages in a warm worker, in milliseconds; the baseline is drawing it. */
async function measureSealing(): Promise<Row> {
  const now = new Date()
  const pair = await createKey({ name: 'Harbourview', validFrom: now, validUntil: new Date(now.getTime() + 1e11) })
  const facts = { name: 'Harbourview', reason: 'Signed', location: 'Oakville', signedAt: now }
  const [ours, drawn]: [number[], number[]] = [[], []]
  for (let number = -2; number < 50; number++) {
    const begin = performance.now()
    const pdf = await renderPdf(consentOf(number))
    const between = performance.now()
    await seal({ pdf, ...pair, ...facts })
    // The first two start the workers.
    if (number < 0) continue
    drawn.push(between - begin)
    ours.push(performance.now() - between)
  }
  const [p50, drawnP50] = [quantile(ours, 0.5), quantile(drawn, 0.5)]
  progress(`  seal a consent form: ${p50.toFixed(2)} ms, drawing it ${drawnP50.toFixed(2)} ms`)
  return toRow({
    case: 'seal a consent form',
    unit: 'ms',
    ours: p50,
    baseline: drawnP50,
    ratio: ratio(p50, drawnP50),
    oursP50: p50,
    oursP99: quantile(ours, 0.99),
    baselineP50: drawnP50,
    baselineP99: quantile(drawn, 0.99),
    aims: [{ of: 'oursP50', atMost: 400 }],
  })
}

const consentOf = (number: number): PdfDocument => ({
  letterhead: { name: 'Harbourview', lines: ['1 Lakeshore Road'], logo: null },
  title: `Consent ${number}`,
  warning: null,
  facts: [{ label: 'Patient', value: `Chloé Desjardins ${number}` }],
  parts: Array.from({ length: 8 }, (_, part) => ({ heading: `Risks ${part}`, text: 'Bleeding, infection, scars. '.repeat(60) })),
  notes: [],
})

/** Opens each record in turn on both sides. In milliseconds. */
async function measureOpening(name: string, asked: readonly string[], ids: readonly string[], { ours, bare }: Sides): Promise<Row> {
  const times: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let round = -1; round < rounds; round++) {
    for (const id of ids) {
      const [one, other] = [await opening(ours, id, asked), await opening(bare, id, asked)]
      // The first round warms both up.
      if (round < 0) continue
      times.ours.push(one)
      times.bare.push(other)
    }
  }
  const [p50, bareP50] = [quantile(times.ours, 0.5), quantile(times.bare, 0.5)]
  progress(`  ${name}: ${p50.toFixed(2)} ms against ${bareP50.toFixed(2)} ms`)
  return toRow({
    case: name,
    unit: 'ms',
    ours: p50,
    baseline: bareP50,
    ratio: ratio(p50, bareP50),
    oursP50: p50,
    oursP99: quantile(times.ours, 0.99),
    baselineP50: bareP50,
    baselineP99: quantile(times.bare, 0.99),
    aims: asked === paths ? [aim] : [],
  })
}

/** How long the calls take together, until the last is read. */
async function opening({ url, headers }: Side, id: string, asked: readonly string[]): Promise<number> {
  const begin = performance.now()
  await Promise.all(
    asked.map(async (path) => {
      const response = await fetch(`${url}/api/contacts/${id}${path}`, { headers })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      await response.arrayBuffer()
    }),
  )
  return performance.now() - begin
}

/** Gives some patients a long history. @returns their ids. */
async function addHistories(clinic: Clinic): Promise<string[]> {
  const rows = await clinic.query<{ id: string }>('select id from contacts order by md5(id::text) limit $1', [patients])
  const ids = rows.map(({ id }) => id)
  const author = `(select id from profiles where role = 'provider' order by id limit 1)`
  const text = `'Seen for follow-up. Healing well, no signs of infection. ' || repeat('Sutures intact, swelling as expected. ', 20)`
  await clinic.query(
    `insert into interactions (contact_id, type, description, date)
     select id, 'note', 'Called about the visit, number ' || n, now() - n * interval '6 hours'
     from unnest($1::uuid[]) as id, generate_series(1, ${entries}) as n`,
    [ids],
  )
  await clinic.query(`insert into note_templates (name, kind, sections) values ('Bench follow-up', 'post_op', '[]') on conflict do nothing`)
  await clinic.query(
    `insert into clinical_notes (contact_id, template_id, kind, title, sections, occurred_on, author_id, needs_cosign, created_at, updated_at, updated_by)
     select c, (select id from note_templates where name = 'Bench follow-up'), 'post_op', 'Follow-up ' || n,
       jsonb_build_array(jsonb_build_object('id', 's', 'type', 'text', 'label', 'Findings', 'answer', ${text})),
       current_date - n, ${author}, false, now(), now(), ${author}
     from unnest($1::uuid[]) as c, generate_series(1, ${notes}) as n`,
    [ids],
  )
  await clinic.query('insert into form_templates (id) values (gen_random_uuid())')
  await clinic.query(
    `insert into form_versions (template_id, number, definition, published_at)
     select id, 1, $1, now() from form_templates order by created_at desc limit 1`,
    [JSON.stringify(starters.medical_history)],
  )
  await clinic.query(
    `insert into forms (contact_id, version_id, status, sent_via, sent_at, expires_at, language, answers, progress, submitted_at)
     select c, (select id from form_versions order by created_at desc limit 1), 'submitted', 'link', now() - n * interval '1 day', now(), 'en',
       jsonb_build_object('q', ${text}), 100, now()
     from unnest($1::uuid[]) as c, generate_series(1, ${forms}) as n`,
    [ids],
  )
  await clinic.query('analyze interactions, clinical_notes, forms')
  return ids
}
