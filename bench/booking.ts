import pg from 'pg'
import { pino } from 'pino'
import { searchSlots } from '../src/care/availability/service.ts'
import { readEnv } from '../src/kernel/env.ts'
import { openDatabase } from '../src/kernel/postgres/database.ts'
import type { Scope } from '../src/kernel/scope.ts'
import { dayAt, daysLater } from '../src/shared/zoned-time.ts'
import { gridBare, nextBare } from './baseline/booking.ts'
import { openClinic, type Clinic } from './clinic/clinic.ts'
import { benchSecret, startServer } from './load/processes.ts'
import { type Kind, sendMix } from './mixed/open-loop.ts'
import type { Options } from './options.ts'
import { median, progress, quantile, ratio, type Row, toRow } from './report.ts'

const [providers, rounds] = [20, 15]
/** Half-hour visits of one provider on a day. */
const perDay = 14
/** From today on, no provider has an opening for so many days. */
const fullDays = 300
const zone = 'America/Toronto'
const [minutes, bufferAfter] = [30, 0]

/**
 * Measures the search for the next opening, with the year ahead nearly full and from the day after, and a month's grid, against the same in SQL
 * alone: 20 providers with a room each, and `rows` appointments. Then opens the booking page a hundred times a second.
 */
export async function benchBooking({ sizes, rows: count, only }: Options): Promise<Row[]> {
  const clinic = await openClinic(Math.min(...sizes))
  const pool = new pg.Pool({ connectionString: clinic.appUrl, max: 1 })
  const db = openDatabase(clinic.appUrl, 8, (error) => progress(String(error)))
  try {
    const ids = await prepare(clinic, count)
    const visit = { ...ids, visitTypeId: null, maxPerDay: null, secondIds: null, unitIds: [], minutes, bufferBefore: 0, bufferAfter }
    const today = dayAt(new Date(), zone)
    const env = readEnv({ APP_SECRET: benchSecret, DATABASE_URL: clinic.appUrl, PRACTICE_TIME_ZONE: zone })
    const log = pino({ level: 'warn' })
    const scopeAt = (day: string): Scope =>
      ({
        db,
        env,
        now: () => new Date(`${day}T05:00:00Z`),
        log,
        actor: null,
        origin: { requestId: 'bench', address: null },
      }) as unknown as Scope
    const free = daysLater(today, fullDays + 1)
    const bare = { ...ids, minutes, bufferAfter, zone }
    const cases = [
      {
        name: `next available, ${fullDays} days full`,
        ours: async () => ((await searchSlots(scopeAt(today), visit, { from: today, days: 1 })).next === null ? 0 : 1),
        bare: () => nextBare(pool, { ...bare, from: today, days: 366 }),
      },
      {
        name: 'next available, tomorrow',
        ours: async () => ((await searchSlots(scopeAt(free), visit, { from: free, days: 1 })).next === null ? 0 : 1),
        bare: () => nextBare(pool, { ...bare, from: free, days: 14 }),
      },
      {
        name: 'grid of a month',
        ours: async () => {
          const { days } = await searchSlots(scopeAt(free), visit, { from: free, days: 31 })
          return days.reduce((sum, { starts }) => sum + starts.length, 0)
        },
        bare: () => gridBare(pool, { ...bare, from: free, days: 31 }),
      },
    ]
    const rows: Row[] = []
    for (const one of cases.filter(({ name }) => name.includes(only))) {
      const found = [await one.ours(), await one.bare()]
      if (found[0] !== found[1]) throw new Error(`${one.name}: we found ${found[0]} starts, SQL ${found[1]}`)
      const [mine, theirs]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        mine.push(await timed(one.ours))
        theirs.push(await timed(one.bare))
      }
      const [ours, baseline] = [median(mine), median(theirs)]
      rows.push(
        toRow({
          case: `${count.toLocaleString('en-CA')} appointments: ${one.name}`,
          unit: 'ms',
          ours,
          baseline,
          ratio: ratio(ours, baseline),
          aims: [
            { of: 'ratio', atMost: 1.5 },
            { of: 'ours', atMost: 50 },
          ],
        }),
      )
    }
    if (pagesCase.includes(only)) rows.push(...(await measurePages(clinic, ids.providerIds, free)))
    return rows
  } finally {
    await Promise.all([db.$client.end(), pool.end()])
    await clinic.close()
  }
}

const pagesCase = 'booking pages'
/** Pages a second, for so many seconds, after some to warm up. */
const [pagesPerSecond, pageSeconds, warmUpSeconds] = [100, 30, 5]

/** Patients who open the booking page of a visit with all providers: the page, what can be booked, and a month of times. */
async function measurePages({ ownerUrl, query }: Clinic, providerIds: string[], from: string): Promise<Row[]> {
  const [visit] = await query<{ id: string }>(
    `insert into visit_types (name, type, minutes, is_online, horizon_days, created_at, updated_at) values ('Bench', 'consult', $1, true, 365, now(), now()) returning id`,
    [minutes],
  )
  await query(`insert into visit_type_people (visit_type_id, part, profile_id) select $1, 'provider', unnest($2::uuid[])`, [
    visit!.id,
    providerIds,
  ])
  const server = await startServer(ownerUrl, { TRUST_PROXY: 'true' })
  try {
    const openings = `/api/booking/openings?${new URLSearchParams({ visitTypeId: visit!.id, from, days: '31' })}`
    const kind: Kind = {
      name: pagesCase,
      share: 100,
      calls: (n) => {
        const headers = { 'x-forwarded-for': `10.${n % 250}.${Math.floor(n / 250) % 250}.1` }
        return ['/book', '/api/booking', openings].map((path) => ({ method: 'GET' as const, path, headers }))
      },
    }
    await sendMix(server.url, [kind], pagesPerSecond, warmUpSeconds)
    const { latencies, errors } = (await sendMix(server.url, [kind], pagesPerSecond, pageSeconds, progress)).get(kind)!
    return [
      toRow({
        case: `${pagesPerSecond} ${pagesCase} a second, p95`,
        unit: 'ms',
        ours: quantile(latencies, 0.95),
        oursP50: quantile(latencies, 0.5),
        oursP99: quantile(latencies, 0.99),
        aims: [{ of: 'ours', atMost: 200 }],
      }),
      toRow({
        case: `${pagesPerSecond} ${pagesCase} a second: errors`,
        unit: 'errors',
        ours: errors.length,
        aims: [{ of: 'ours', atMost: 0 }],
      }),
    ]
  } finally {
    await server.stop()
  }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** Providers with hours and rooms, and appointments on all days until the calendar is full: the past has the rest. */
async function prepare({ query }: Clinic, count: number): Promise<{ providerIds: string[]; roomIds: string[] }> {
  progress(`  filling: ${count.toLocaleString('en-CA')} appointments`)
  await query('delete from appointments')
  const people = await query<{ id: string }>(
    `insert into profiles (full_name, first_name, last_name, email, email_verified, status, role)
     select 'Dr. ' || n, 'Dr.', n::text, 'doctor' || n || '@bench.example', true, 'active', 'provider' from generate_series(1, $1::int) as n returning id`,
    [providers],
  )
  const rooms = await query<{ id: string }>(
    `insert into rooms (name, kind, location_id) select 'Bench ' || n, 'consult', (select id from locations limit 1) from generate_series(1, $1::int) as n
     returning id`,
    [providers],
  )
  const [providerIds, roomIds] = [people.map(({ id }) => id), rooms.map(({ id }) => id)]
  await query(
    `insert into staff_hours (profile_id, weekday, opens, closes)
     select id, weekday, opens, closes from unnest($1::uuid[]) as id, generate_series(1, 5) as weekday, (values ('09:00', '12:00'), ('13:00', '17:00')) as span (opens, closes)`,
    [providerIds],
  )
  const days = Math.ceil(count / (providers * perDay))
  await query(
    `insert into appointments (contact_id, type, provider_id, room_id, starts_at, ends_at, status, created_at, updated_at)
     select (select id from contacts order by seq limit 1), 'consult', provider, room, at, at + interval '30 minutes', 'booked', now(), now()
     from unnest($1::uuid[], $2::uuid[]) as pair (provider, room),
       generate_series(0, $3::int - 1) as n, generate_series(0, 13) as slot,
       lateral (select (((now() at time zone $4)::date + $5::int - n)::timestamp + case when slot < 6 then interval '9 hours' else interval '10 hours' end
         + slot * interval '30 minutes') at time zone $4 as at) as times
     limit $6`,
    [providerIds, roomIds, days, zone, fullDays, count],
  )
  await query('vacuum analyze appointments')
  await query('vacuum analyze time_holds')
  return { providerIds, roomIds }
}
