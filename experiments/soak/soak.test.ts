import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import type { Clinic } from '../../bench/clinic/clinic.ts'
import { fillDemo } from '../../demo/fill.ts'
import { copyTemplate, testSecret } from '../../test/database.ts'
import { judge } from './rules.ts'
import { soak } from './soak.ts'

const contacts = 1_000
const streams = 20

async function fillTestClinic(): Promise<Clinic> {
  const database = await copyTemplate(inject('postgres'))
  await fillDemo(database.url, { contacts, withHistory: false })
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query('truncate duplicate_checks')
  return {
    ownerUrl: database.url,
    appUrl: database.url,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => (await owner.query<Row>(text, values)).rows,
    async close() {
      await owner.end()
      await database.drop()
    },
  }
}

it(
  'runs the experiment in small: no errors, every stream is opened again and hears of changes, and the queue is empty',
  { timeout: 90_000 },
  async () => {
    const clinic = await fillTestClinic()
    onTestFinished(clinic.close)
    const { samples, errors } = await soak({
      clinic,
      contacts,
      minutes: 3,
      minuteMs: 2_000,
      perSecond: 10,
      streams,
      settings: { APP_SECRET: testSecret, DATABASE_POOL: '4' },
    })
    expect([...errors]).toEqual([])
    expect(judge(samples, streams).filter(({ holds }) => holds === false)).toEqual([])
    const measured = samples.flatMap(({ processes }) => processes.map(({ heapMb, rssMb }) => heapMb > 10 && rssMb > heapMb))
    expect(measured).toEqual(Array.from({ length: 8 }, () => true))
  },
)
