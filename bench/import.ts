import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Clinic, openClinic } from './clinic/clinic.ts'
import { benchSecret, startServer } from './load/processes.ts'
import { progress, ratio, type Row, toRow } from './report.ts'
import { fileOf, type Person, unknownPatients } from './clinic/people.ts'
import { account, signIn } from './clinic/session.ts'

const contacts = 20_000
const perStatement = 1_000
/** Importing up to this many patients has a target time. */
const timedSize = 100_000
/** A file of another size may take this many times the memory of the first. */
const memoryTolerance = 1.25
const root = path.join(import.meta.dirname, '..')

/** Times `npm run import` of a file of each size, including its dry run, against bare statements that only add the same people. */
export async function benchImport({ sizes }: { sizes: number[] }): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-import-'))
    const file = path.join(folder, 'patients.csv')
    const people = [...unknownPatients(size)]
    fs.writeFileSync(file, fileOf(people))
    const clinic = await openClinic(contacts)
    try {
      const bare = await addBare(clinic, people)
      await clinic.query(`delete from contacts where email like '%@file.example'`)
      await clinic.query('vacuum (analyze) contacts')
      const server = await startServer(clinic.ownerUrl) // creates the role and the account that the command needs
      await signIn(clinic.ownerUrl, server.url)
      await server.stop()
      const ours = await runImport(file, clinic.ownerUrl, folder)
      progress(`  ${ours.summary}`)
      const name = `npm run import, ${size.toLocaleString('en-CA')} patients into ${contacts.toLocaleString('en-CA')}`
      const first = rows.find(({ unit }) => unit === 'MB')
      rows.push(
        toRow({
          case: `${name}: after the dry run`,
          unit: 's',
          ours: ours.seconds,
          baseline: bare,
          ratio: ratio(ours.seconds, bare),
          aims: size > timedSize ? [] : [{ of: 'ours', atMost: 60 }],
        }),
        toRow({
          case: `${name}: including the dry run`,
          unit: 's',
          ours: ours.all,
          baseline: bare,
          ratio: ratio(ours.all, bare),
        }),
        toRow({
          case: `${name}: peak memory`,
          unit: 'MB',
          ours: ours.megabytes,
          aims: first ? [{ of: 'ours', atMost: first.ours * memoryTolerance }] : [],
        }),
      )
    } finally {
      await clinic.close()
      fs.rmSync(folder, { recursive: true })
    }
  }
  return rows
}

/** Adds these people with bare statements. @returns the time in seconds. */
async function addBare(clinic: Clinic, people: Person[]): Promise<number> {
  await clinic.query('alter index contacts_search set (fastupdate = on)')
  await clinic.query(`set gin_pending_list_limit = '256MB'`)
  const begin = performance.now()
  for (let at = 0; at < people.length; at += perStatement) {
    const some = people.slice(at, at + perStatement)
    await clinic.query(
      `insert into contacts (first_name, last_name, email, phone, city, notes, funnel_stage)
       select first_name, last_name, email, phone, 'Oakville', 'From the system before', funnel_stages.id
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as given(first_name, last_name, email, phone), funnel_stages
       where funnel_stages.is_initial`,
      [some.map((one) => one.firstName), some.map((one) => one.lastName), some.map((one) => one.email), some.map((one) => one.phone)],
    )
    await clinic.query(`select gin_clean_pending_list('contacts_search')`)
  }
  const seconds = (performance.now() - begin) / 1000
  await clinic.query('alter index contacts_search set (fastupdate = off)')
  return seconds
}

/** Runs the command as a child process. @returns its total time and the time after the dry run in seconds, and its peak memory as the system counts it. */
async function runImport(file: string, databaseUrl: string, folder: string) {
  const begin = performance.now()
  const child = spawn(
    process.execPath,
    ['--import', path.join(import.meta.dirname, 'report-memory.ts'), 'src/app/commands/import.ts', file, '--who', account.email],
    {
      cwd: root,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', APP_SECRET: benchSecret, DATABASE_URL: databaseUrl, DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`npm run import ended with ${code}: ${output}`)
  const [summary, seconds] = /^Done: .*, in (\d+) s$/m.exec(output) ?? []
  const all = (performance.now() - begin) / 1000
  return { all, seconds: Number(seconds), megabytes: Number(/^memory (\d+)$/m.exec(output)?.[1]), summary }
}
