/**
 * `npm run import -- file.csv`: imports patients, tasks or interactions into the clinic that the settings describe (docs/OPERATIONS.md), whether
 * it is running or not. Ctrl-C stops after the current batch and prints the result.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { mayUse, permissions } from '../../kernel/access/policy.ts'
import { createAttempts } from '../../kernel/attempts.ts'
import { actorOf } from '../../platform/auth/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { dateOrders, type ImportDetails, type ImportField, importFields, matchChoices } from '../../admin/imports/contract.ts'
import { importKinds } from '../../admin/imports/kind-rules.ts'
import * as service from '../../admin/imports/service.ts'
import { acceptTable } from '../../admin/imports/reading/upload.ts'
import { processImport } from '../../admin/imports/run/process.ts'
import { followPractice } from '../../platform/practice/service.ts'
import { openFileStore } from '../../integrations/storage/open.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { fileKeys } from '../../kernel/seal.ts'
import { openClinic } from './open-clinic.ts'

const usage = `Name one file, and the account that imports: file.csv --who you@clinic.example

  --who you@clinic.example    the account that imports (required)
  --what patients             the type of the rows: patients, tasks or interactions
  --dry-run                   prints what would happen, without importing
  --matches skip              what to do with existing rows: skip, fill (empty fields of patients) or add (a copy)
  --mapping columns.json      maps columns: {"Column of the file": "email", "Another": null}; the others are guessed
  --dates mdy                 the order of ambiguous dates: mdy or dmy
  --sheet Patients            the sheet to import

An import can be undone at /contacts/import.`

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    who: { type: 'string' },
    what: { type: 'string', default: 'patients' },
    'dry-run': { type: 'boolean', default: false },
    matches: { type: 'string', default: 'skip' },
    mapping: { type: 'string' },
    dates: { type: 'string' },
    sheet: { type: 'string' },
  },
})
const [named] = positionals
const file = named && fromCaller(named)
const onMatch = matchChoices.find((choice) => choice === options.matches) ?? stop('--matches takes skip, fill or add')
const kind = importKinds.find((known) => known === options.what) ?? stop('--what takes patients, tasks or interactions')
if (kind === 'documents') stop('Documents are imported with their files, at /contacts/import')
if (kind !== 'patients' && onMatch === 'fill') stop('--matches fill works for patients only')
const dates = options.dates === undefined ? null : (dateOrders.find((order) => order === options.dates) ?? stop('--dates takes mdy or dmy'))
if (!file || positionals.length !== 1) stop(usage)
if (!options.who) stop('Name the account that imports: --who you@clinic.example')
if (!existsSync(file)) stop(`File not found: ${file}`)
const mapping = readMapping(options.mapping)

const { db, indexDb, env, close } = await openClinic()
try {
  process.exitCode = await run()
} finally {
  await close()
}

async function run(): Promise<number> {
  const [account] = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(sql`lower(${profiles.email})`, options.who!.toLowerCase()))
  const actor = account ? await actorOf(db, account.id) : null
  if (!mayUse(permissions['imports.run'], actor)) return fail(`${options.who} has no permission to import`)
  const origin = { requestId: 'npm run import', address: null }
  const practice = followPractice(env, db, null, () => {})
  await practice.read()
  const scope: Scope = {
    db,
    recentDb: db,
    latestDb: db,
    indexDb,
    env: practice.env,
    practice,
    actor,
    origin,
    attempts: createAttempts(db, env)(() => {}),
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    files: openFileStore(env, { keys: fileKeys(env) }),
    recordView: async () => {},
  }

  const accepted = await acceptTable(scope, path.basename(file!), createReadStream(file!), { sheet: options.sheet ?? null, kind })
  if (!('id' in accepted))
    return fail('sheets' in accepted ? `${accepted.message}: --sheet ${accepted.sheets.join(' | ')}` : accepted.message)
  const uploaded = (await service.getImport(scope, accepted.id))!
  console.log(`${uploaded.rows.toLocaleString('en-CA')} rows, ${uploaded.encoding}`)
  const columns = uploaded.columns.map(({ header, field, dateOrder, dates: seen }) => ({
    field: mapping.has(header) ? mapping.get(header)! : field,
    dateOrder: seen === 'either' ? (dates ?? dateOrder) : null,
  }))
  for (const [i, { header }] of uploaded.columns.entries()) console.log(`  ${header}: ${columns[i]!.field ?? 'not imported'}`)

  const checking = await service.checkImport(scope, accepted.id, columns)
  if (isRefusal(checking) && checking.refusal === 'INVALID_MAPPING') return fail(Object.values(checking.data.fields).join('\n'))
  const checked = await follow(scope, accepted.id)
  if (!checked.checked) return fail('Stopped. Nothing was imported.')
  const { fresh, matches, duplicates, errors } = checked.checked
  console.log(`${fresh} new, ${matches} existing, ${duplicates} duplicates in the file, ${errors} with errors`)
  const { data: failed } = (await service.listFindings(scope, { id: accepted.id, kind: 'error', limit: 20 }))!
  for (const { row, problems } of failed)
    for (const { column, value, reason } of problems) console.log(`  row ${row}, ${column}: ${reason}${value ? ` “${value}”` : ''}`)
  if (errors > failed.length) console.log('  … and more, at /contacts/import')
  if (options['dry-run']) {
    await service.discardImport(scope, accepted.id)
    return 0
  }
  await service.runImport(scope, accepted.id, onMatch)
  const begin = performance.now()
  const { status, result } = await follow(scope, accepted.id)
  const seconds = Math.round((performance.now() - begin) / 1000)
  const { added = 0, filled = 0, skipped = 0, errors: refused = 0 } = result ?? {}
  console.log(
    `${status === 'done' ? 'Done' : 'Stopped'}: ${added} added, ${filled} updated, ${skipped} skipped, ${refused} rejected, in ${seconds} s`,
  )
  return status === 'done' ? 0 : 130
}

/** Processes the import, concurrently with the running clinic, and prints the progress. */
async function follow(scope: Scope, id: string): Promise<ImportDetails> {
  const cancel = () => void service.cancelImport(scope, id).catch(() => fail('The import could not be cancelled.'))
  process.on('SIGINT', cancel)
  const print = () => service.getImport(scope, id).then((now) => now && printProgress(now))
  // A database that is away ends the import itself; a missed line of progress does not.
  const progress = setInterval(() => void print().catch(() => {}), 1_000)
  try {
    while (await processImport(scope, id)) {
      // until it is complete or cancelled
    }
  } finally {
    clearInterval(progress)
    process.off('SIGINT', cancel)
  }
  return (await service.getImport(scope, id))!
}

function printProgress({ status, progress, rows }: ImportDetails) {
  console.error(`  ${status}: ${progress} of ${rows}`)
}

function readMapping(name: string | undefined): Map<string, ImportField | null> {
  if (name === undefined) return new Map()
  const given = Object.entries(JSON.parse(readFileSync(fromCaller(name), 'utf8')) as Record<string, string | null>)
  const field = (text: string) =>
    importFields[kind].find((known) => known === text) ?? stop(`Unknown field ${text}. The fields are: ${importFields[kind].join(', ')}`)
  return new Map(given.map(([header, text]) => [header, text === null ? null : field(text)]))
}

/** npm runs scripts in the package's folder; a relative path starts where npm was called. */
function fromCaller(name: string): string {
  return path.resolve(process.env.INIT_CWD ?? '', name)
}

function fail(message: string): number {
  console.error(message)
  return 1
}

function stop(message: string): never {
  console.error(message)
  process.exit(2)
}
