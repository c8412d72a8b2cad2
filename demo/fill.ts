import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { countedDays } from '../src/crm/contacts/rules.ts'
import { addAppointments } from './appointments.ts'
import { createClock, day, zone } from './clock.ts'
import type { FileStore } from '../src/integrations/storage/store.ts'
import { copyInto } from './copy.ts'
import { addDocuments } from './documents.ts'
import { addHistory } from './history.ts'
import { fullTimelines, generatePatients } from './patients.ts'
import { createRandom } from './random.ts'
import { refusedForms } from './refused-forms.ts'
import { addRefusedForm, addRows, type Lines, noLines, type Table, tables } from './rows.ts'
import { setAside } from './set-aside.ts'
import { addStaffTasks } from './staff-tasks.ts'
import { addSurgeries } from './surgeries.ts'
import { addTasks } from './tasks.ts'
import { insertVocabulary, vocabularyTables } from './vocabulary.ts'

export type FillProgress = { phase: 'patients' | 'indexes' | 'statistics'; done: number; total: number }
export type FillOptions = {
  contacts?: number
  /** The same seed and the same `now` give the same patients. */
  seed?: number
  now?: Date
  /** Without any, no one is reminded of one on every page. */
  withTasks?: boolean
  /** Without any, the surgeon's calendar has visits alone. */
  withSurgeries?: boolean
  /** Without it no record's history tells of what was seeded. */
  withHistory?: boolean
  /** Where documents go; without it there are none. */
  files?: FileStore | null
  onProgress?: (progress: FillProgress) => void
}
/** Rows per table. `filled` is false when there were contacts already, and nothing was done. */
export type FillResult = { filled: boolean; counts: Record<Table, number> }

/** Rows of contacts per statement: the trigger that counts contacts works per statement and holds its rows in memory. */
const batchSize = 5_000
/** Beyond this many patients the audit log has nothing of them. */
const fullHistories = 20_000
const tableNames = Object.keys(tables) as Table[]
const countTables = ['contact_counts', 'contact_day_counts', 'contact_source_counts']

/**
 * Fills a migrated database with the demo clinic: its staff, vocabulary and patients. All of it is one transaction, so that a fill that is
 * killed leaves nothing behind and a database with contacts is a whole one, which is left alone. Run it as the owner of the tables: another
 * role can, but must keep every index up to date row by row. No one else can use the tables in the meantime.
 */
export async function fillDemo(
  url: string,
  {
    contacts = 2_500,
    seed = 1,
    now = new Date(),
    withTasks = true,
    withSurgeries = true,
    withHistory = contacts <= fullHistories,
    files = null,
    onProgress = () => {},
  }: FillOptions = {},
): Promise<FillResult> {
  const client = new pg.Client({ connectionString: url, application_name: 'refyne demo' })
  client.on('error', () => {}) // what is being asked fails, and that is reported
  await client.connect()
  try {
    // When this process is killed, the server must not go on for minutes with an index that no one waits for. Not every platform has it.
    await client.query(`set client_connection_check_interval = '2s'`).catch(() => {})
    await client.query('begin')
    // A second fill waits here for the first.
    await client.query(`select pg_advisory_xact_lock(hashtext('refyne demo'))`)
    if (await isEmpty(client)) {
      await fill(client, { contacts, seed, now, withTasks, withSurgeries, withHistory, files, onProgress })
      await client.query('commit')
      // What is counted of them, as the job that does it each minute would leave it.
      await client.query(`select fold_contact_counts($1, $2)`, [zone, new Date(now.getTime() - countedDays * day)])
      onProgress({ phase: 'statistics', done: 0, total: 1 })
      // Without statistics the planner guesses; without the visibility map it reads the table where the index would do.
      await client.query('set client_min_messages to error')
      await client.query(`vacuum (full, analyze) ${countTables.join(', ')}`)
      await client.query(`vacuum (analyze) ${[...tableNames, ...vocabularyTables].join(', ')}`)
      onProgress({ phase: 'statistics', done: 1, total: 1 })
      return { filled: true, counts: await count(client) }
    }
    await client.query('rollback')
    return { filled: false, counts: await count(client) }
  } finally {
    await client.end()
  }
}

/** Refuses a database in which real people work: the demo's passwords are known to everyone. */
async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ contacts: boolean; strangers: boolean }>(
    `select exists (select 1 from contacts) as contacts, exists (select 1 from profiles where email not like '%@refyne.example') as strangers`,
  )
  if (rows[0]!.contacts) return false
  if (rows[0]!.strangers) throw new Error('This database has accounts of its own. The demo clinic goes into a database of its own only.')
  return true
}

async function fill(
  client: pg.Client,
  { contacts, seed, now, withTasks, withSurgeries, withHistory, files, onProgress }: Required<FillOptions>,
): Promise<void> {
  await client.query(`set local maintenance_work_mem = '${contacts > 100_000 ? 1024 : 128}MB'`)
  const references = await insertVocabulary(client)
  const definitions = await setAside(client, tableNames)
  // A fill that failed has used up numbers; the same seed shall give the same ones.
  if (definitions.length > 0) await client.query('alter table contacts alter column seq restart')

  const [ids, taskRandom, visitRandom] = [createRandom(seed + 1), createRandom(seed + 2), createRandom(seed + 4)]
  const clock = createClock(now.getTime())
  let [lines, done] = [noLines(), 0]
  if (contacts <= fullTimelines) {
    for (const refused of refusedForms(Math.ceil(contacts / 250), now.getTime(), seed + 6)) addRefusedForm(lines, refused, references, ids)
  }
  let writing: Promise<void> = Promise.resolve()
  for (const patient of generatePatients(contacts, seed, now.getTime())) {
    addRows(lines, patient, references, ids)
    addAppointments(lines, patient, references, visitRandom, clock, withTasks)
    if (withTasks) addTasks(lines, patient, references, taskRandom, now.getTime())
    done++
    // The batch before is sent and loaded while this one is made; the socket needs its turns.
    if (done % 250 === 0) await setImmediate()
    if (lines.contacts.length < batchSize && done < contacts) continue
    await writing
    onProgress({ phase: 'patients', done: done - lines.contacts.length, total: contacts })
    writing = write(client, lines)
    writing.catch(() => {}) // it is awaited, but only after the next batch is made
    lines = noLines()
  }
  await writing
  onProgress({ phase: 'patients', done: contacts, total: contacts })

  for (const [i, { restore }] of definitions.entries()) {
    onProgress({ phase: 'indexes', done: i, total: definitions.length })
    await restore()
  }
  onProgress({ phase: 'indexes', done: definitions.length, total: definitions.length })
  await addConsents(client, now)
  if (withHistory) await addHistory(client)
  if (withTasks) await addStaffTasks(client, references, clock, seed + 7)
  if (withSurgeries) await addSurgeries(client, references, clock, seed + 5)
  if (files) await addDocuments(client, files, references, seed + 3, now.getTime())
}

async function write(client: pg.Client, lines: Lines): Promise<void> {
  for (const table of tableNames) await copyInto(client, table, tables[table], lines[table])
}

/** What the patients' consent rests on: what they said when they were added, and for half a year the form that they sent. */
async function addConsents(client: pg.Client, now: Date): Promise<void> {
  await client.query(`
    insert into consents (contact_id, basis, source, wording, given_at, given_by)
    select id, 'express', 'paper', 'I would like to hear about treatments, events and offers by email.', created_at, assigned_sales_rep_id
    from contacts where consent_to_communicate order by seq`)
  await client.query(
    `insert into consents (contact_id, basis, source, given_at, expires_at)
     select contact_id, 'inquiry', 'lead', received_at, date_trunc('day', received_at) + interval '6 months 1 day'
     from lead_entries where contact_id is not null and received_at > $1::timestamptz - interval '6 months' order by received_at`,
    [now],
  )
}

async function count(client: pg.Client): Promise<Record<Table, number>> {
  const counts: Partial<Record<Table, number>> = {}
  for (const table of tableNames) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`)
    counts[table] = Number(rows[0]!.count)
  }
  return counts as Record<Table, number>
}
