import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { countedDays } from '../src/crm/contacts/rules.ts'
import { addAppointments } from './appointments.ts'
import { addCharts } from './charts.ts'
import { createClock, day, zone } from './clock.ts'
import type { FileStore } from '../src/integrations/storage/store.ts'
import { copyInto } from './copy.ts'
import { addDocuments } from './documents/documents.ts'
import { addPhotos } from './documents/photos.ts'
import { addHealthCards } from './health-cards.ts'
import { addForms } from './forms.ts'
import { addHistory } from './history.ts'
import { addNamesakes } from './namesakes.ts'
import { maxFullTimelines, generatePatients } from './patients/patients.ts'
import { createRandom } from './random.ts'
import { refusedForms } from './refused-forms.ts'
import { addRefusedForm, addRows, type Lines, emptyLines, type Table, tables } from './rows.ts'
import { dropIndexes } from './drop-indexes.ts'
import { addReferrals } from './referrals.ts'
import { addSpend } from './spend.ts'
import { addImplants, addStock } from './stock.ts'
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
  /** Without tasks there are no reminder popups on the pages. */
  withTasks?: boolean
  /** Without surgeries the surgeon's calendar shows only visits. */
  withSurgeries?: boolean
  /** Without it the seeded patients have no history. */
  withHistory?: boolean
  /** Where documents are stored; without it there are none. */
  files?: FileStore | null
  /** The server's APP_SECRET, which seals the numbers of health cards; without it there are none. */
  secret?: string | null
  onProgress?: (progress: FillProgress) => void
}
/** Row count per table. `filled` is false when there were contacts already and nothing was done. */
export type FillResult = { filled: boolean; counts: Record<Table, number> }

/** Contacts per statement: the trigger that counts contacts runs per statement and holds its rows in memory. */
const batchSize = 5_000
/** Beyond this many patients, the audit log is not filled. */
const maxFullHistories = 20_000
const tableNames = Object.keys(tables) as Table[]
const countTables = ['contact_counts', 'contact_day_counts', 'contact_source_counts']

/**
 * Fills a migrated database with the demo clinic: its staff, vocabulary and patients. Everything runs in one transaction, so that a fill
 * that is killed leaves nothing behind, and a database with contacts is complete and left alone. Run it as the owner of the tables: another
 * role can, but must update every index row by row. The tables are locked during this time.
 */
export async function fillDemo(
  url: string,
  {
    contacts = 2_500,
    seed = 1,
    now = new Date(),
    withTasks = true,
    withSurgeries = true,
    withHistory = contacts <= maxFullHistories,
    files = null,
    secret = null,
    onProgress = () => {},
  }: FillOptions = {},
): Promise<FillResult> {
  const client = new pg.Client({ connectionString: url, application_name: 'refyne demo' })
  client.on('error', () => {}) // the pending query fails, and that is reported
  await client.connect()
  try {
    // If this process is killed, the server must not keep building an index for minutes. Not every platform supports the setting.
    await client.query(`set client_connection_check_interval = '2s'`).catch(() => {})
    await client.query('begin')
    // A second fill waits for the first here.
    await client.query(`select pg_advisory_xact_lock(hashtext('refyne demo'))`)
    if (await isEmpty(client)) {
      await fill(client, { contacts, seed, now, withTasks, withSurgeries, withHistory, files, secret, onProgress })
      await client.query('commit')
      // Fold the counts as the job that runs every minute would.
      await client.query(`select fold_contact_counts($1, $2)`, [zone, new Date(now.getTime() - countedDays * day)])
      onProgress({ phase: 'statistics', done: 0, total: 1 })
      // Without statistics the planner guesses; without the visibility map it reads the table where an index-only scan would do.
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

/** Whether the database has no contacts. Throws for a database with other accounts: the demo's passwords are public. */
async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ contacts: boolean; other_accounts: boolean }>(
    `select exists (select 1 from contacts) as contacts, exists (select 1 from profiles where email not like '%@refyne.example') as other_accounts`,
  )
  if (rows[0]!.contacts) return false
  if (rows[0]!.other_accounts) throw new Error('This database already has user accounts. The demo clinic needs a database of its own.')
  return true
}

async function fill(
  client: pg.Client,
  { contacts, seed, now, withTasks, withSurgeries, withHistory, files, secret, onProgress }: Required<FillOptions>,
): Promise<void> {
  await client.query(`set local maintenance_work_mem = '${contacts > 100_000 ? 1024 : 128}MB'`)
  const references = await insertVocabulary(client)
  await addSpend(client, references, now.getTime(), seed + 12)
  const definitions = await dropIndexes(client, tableNames)
  // A failed fill has used up numbers; the same seed must give the same ones.
  if (definitions.length > 0) await client.query('alter table contacts alter column seq restart')

  const [ids, taskRandom, visitRandom] = [createRandom(seed + 1), createRandom(seed + 2), createRandom(seed + 4)]
  const clock = createClock(now.getTime())
  let [lines, done] = [emptyLines(), 0]
  if (contacts <= maxFullTimelines) {
    for (const refused of refusedForms(Math.ceil(contacts / 250), now.getTime(), seed + 6)) addRefusedForm(lines, refused, references, ids)
  }
  let writing: Promise<void> = Promise.resolve()
  for (const patient of generatePatients(contacts, seed, now.getTime())) {
    addRows(lines, patient, references, ids)
    addAppointments(lines, patient, references, visitRandom, clock, withTasks)
    if (withTasks) addTasks(lines, patient, references, taskRandom, now.getTime())
    done++
    // The previous batch is sent and loaded while this one is generated; the socket needs time on the event loop.
    if (done % 250 === 0) await setImmediate()
    if (lines.contacts.length < batchSize && done < contacts) continue
    await writing
    onProgress({ phase: 'patients', done: done - lines.contacts.length, total: contacts })
    writing = write(client, lines)
    writing.catch(() => {}) // awaited, but only after the next batch is generated
    lines = emptyLines()
  }
  await writing
  onProgress({ phase: 'patients', done: contacts, total: contacts })

  for (const [i, { restore }] of definitions.entries()) {
    onProgress({ phase: 'indexes', done: i, total: definitions.length })
    await restore()
  }
  onProgress({ phase: 'indexes', done: definitions.length, total: definitions.length })
  await addNamesakes(client, now)
  if (secret !== null) await addHealthCards(client, secret, seed + 8)
  await addConsents(client, now)
  if (withHistory) {
    await addHistory(client)
    await addReferrals(client)
  }
  if (withTasks) await addStaffTasks(client, references, clock, seed + 7)
  if (withSurgeries) {
    await addSurgeries(client, references, clock, seed + 5)
    await addCharts(client, references, clock, seed + 8)
  }
  if (files) await addDocuments(client, files, references, seed + 3, now.getTime())
  if (files && withSurgeries) {
    await addStock(client, references, seed, now.getTime())
    await addImplants(client, references, seed)
  }
  if (files && withSurgeries) await addPhotos(client, files, references, seed + 9, now.getTime())
  // Tests of the pages send their own.
  if (files) await addForms(client, references, now.getTime())
}

async function write(client: pg.Client, lines: Lines): Promise<void> {
  for (const table of tableNames) await copyInto(client, table, tables[table], lines[table])
}

/** Adds the basis of the patients' consent: express consent when they were added, and for six months the form they sent. */
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
