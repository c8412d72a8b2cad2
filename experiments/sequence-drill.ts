/**
 * `npm run sequence-drill`: an experiment. Patients go through five sequences over days of a simulated clock, with a change of the clocks and
 * holidays, replies, bookings, stops and cancellations, while the server is killed and Twilio's reports come doubled and in the opposite order. It prints
 * whether each step was done once and when an independent model says, and whether a text left twice or at night.
 *
 *   npm run sequence-drill -- --patients 10000 --days 60 --kills 50 --tick 1 --seed 28
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { startServer } from '../src/app/serve.ts'
import { readEnv } from '../src/kernel/env.ts'
import { startEmbeddedPostgres } from '../src/kernel/postgres/embedded-postgres.ts'
import { testSecret } from '../test/database.ts'
import { drill } from './sequence-drill/drill.ts'

const { values } = parseArgs({
  options: {
    patients: { type: 'string', default: '10000' },
    days: { type: 'string', default: '60' },
    kills: { type: 'string', default: '50' },
    /** Hours between two looks at what is due. */
    tick: { type: 'string', default: '1' },
    seed: { type: 'string', default: '28' },
  },
})
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-sequences-'))
fs.chmodSync(root, 0o755) // PostgreSQL may run as another account
const postgres = await startEmbeddedPostgres(path.join(root, 'postgres'))
try {
  const databaseUrl = postgres.url('postgres')
  // The first start migrates the database.
  const env = readEnv({ PORT: '0', DATA_DIR: root, APP_SECRET: testSecret, LOG_LEVEL: 'silent' })
  await (await startServer(env, { databaseUrl, log: pino({ level: 'silent' }) })).stop()
  const found = await drill({
    patients: Number(values.patients),
    days: Number(values.days),
    kills: Number(values.kills),
    tickHours: Number(values.tick),
    seed: Number(values.seed),
    databaseUrl,
    owner: new pg.Client({ connectionString: databaseUrl }),
  })
  console.log(JSON.stringify(found, null, 2))
  const holds = [
    ['each patient got what the model says, when it says', found.different === 0],
    ['no step was carried out twice', found.twice === 0],
    ['no text was sent twice', found.sentTwice === 0],
    ['no text was sent at night', found.atNight === 0],
  ] as const
  for (const [what, isHeld] of holds) console.log(`${isHeld ? 'holds ' : 'BROKEN'}  ${what}`)
  process.exitCode = holds.every(([, isHeld]) => isHeld) ? 0 : 1
} finally {
  await postgres.stop()
  fs.rmSync(root, { recursive: true, force: true })
}
