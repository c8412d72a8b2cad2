/**
 * `npm run scale`: an experiment. PgBouncer, a primary and a standby of PostgreSQL and several processes of the built product serve a large
 * clinic's staff, whose requests go to the processes in turn. Prints whether
 *
 * 1. the load is served: 95 % of the requests within 300 ms, without an error;
 * 2. how many requests a second are served so, by one process, by two, and so on;
 * 3. while each process, the pooler and the primary are killed under load, requests fail only while something is down, and nothing that was
 *    acknowledged is lost, compared with a ledger kept outside of the product.
 *
 *   npm run scale                                 1,000,000 contacts, 200 staff, 100 requests a second for 10 minutes, three processes
 *   npm run scale -- --contacts 10000 --minutes 1 --only kills
 *
 * PgBouncer must be installed (`apt-get install pgbouncer`). The data is kept under /tmp as that of the benchmarks is, and copied twice.
 */
import { parseArgs } from 'node:util'
import { fillClinic } from '../bench/clinic/clinic.ts'
import { buildAll } from '../bench/load/build.ts'
import { holds, printTable, progress, quantile, type Row, toRow } from '../bench/report.ts'
import { startCluster } from './scale/cluster.ts'
import { acknowledged, compare, emptyLedger, untilSettled } from './scale/ledger.ts'
import { isPgBouncerInstalled, startPgBouncer } from './scale/pgbouncer.ts'
import { failed, findBound, isDuring, killEach, load, p95 } from './scale/run.ts'
import { hireStaff, type Outcome } from './scale/staff.ts'

const { values } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '10' },
    'per-second': { type: 'string', default: '100' },
    staff: { type: 'string', default: '200' },
    processes: { type: 'string', default: '3' },
    /** load, bound or kills. */
    only: { type: 'string', default: '' },
  },
})
const [contacts, minutes, perSecond, people, count] = (['contacts', 'minutes', 'per-second', 'staff', 'processes'] as const).map((name) => {
  const number = Number(values[name])
  if (number > 0) return number
  console.error(`--${name} must be a number above 0`)
  return process.exit(2)
}) as [number, number, number, number, number]
const maxMs = 300
const warmUpSeconds = 20
const boundSeconds = 20
const processesOf = (number: number): string => `${number} ${number === 1 ? 'process' : 'processes'}`

if (!isPgBouncerInstalled()) {
  console.error('PgBouncer is missing. Install it, for example with: apt-get install pgbouncer')
  process.exit(2)
}

buildAll()
const rows: Row[] = []
const cluster = await startCluster({
  from: await fillClinic(contacts),
  processes: count,
  startPooler: startPgBouncer,
  postgres: { max_wal_size: '4GB' },
})
process.once('SIGINT', () => void cluster.stop().finally(() => process.exit(130)))
try {
  const ledger = emptyLedger()
  const staff = await hireStaff(cluster, people, contacts, ledger)
  progress(`${people} staff have signed in; warming up`)
  await load(staff, perSecond, warmUpSeconds)

  if ('load'.includes(values.only)) {
    progress(`${perSecond} requests a second for ${minutes} minutes`)
    const outcomes = await load(staff, perSecond, minutes * 60)
    report(outcomes)
    rows.push(
      { ...timeRow('all', outcomes), aims: [{ of: 'ours', atMost: maxMs }] },
      errorRow('errors', failed(outcomes).length, 0),
      ...[...new Set(outcomes.map(({ kind }) => kind))].map((kind) =>
        timeRow(
          kind,
          outcomes.filter((one) => one.kind === kind),
        ),
      ),
    )
  }

  if ('bound'.includes(values.only)) {
    for (const { kill } of cluster.processes.slice(1)) await kill()
    for (const [at, { start }] of cluster.processes.entries()) {
      if (at > 0) await start()
      await cluster.ready()
      await load(staff, perSecond / 2, warmUpSeconds)
      const bound = await findBound(perSecond / 2, async (rate) => {
        const outcomes = await load(staff, rate, boundSeconds)
        const [reached, errors] = [p95(outcomes), failed(outcomes).length]
        progress(`  ${processesOf(at + 1)}, ${rate} requests a second: p95 ${reached.toFixed(0)} ms, ${errors} errors`)
        return reached <= maxMs && errors === 0
      })
      rows.push(toRow({ case: `requests a second at p95 ≤ ${maxMs} ms, ${processesOf(at + 1)}`, unit: 'req/s', ours: bound }))
    }
  }

  if ('kills'.includes(values.only)) {
    const parts = [...cluster.processes, cluster.pooler, cluster.primary]
    progress(`Killing ${parts.map(({ name }) => name).join(', ')}`)
    const { outcomes, outages } = await killEach(cluster, staff, parts, { perSecond, calmSeconds: 15, downSeconds: 5 })
    const errors = failed(outcomes)
    for (const outage of outages) {
      const during = errors.filter((one) => isDuring(one, outage))
      rows.push(
        errorRow(`errors while ${outage.name} is down`, during.length),
        toRow({ case: `${outage.name}: ready after it was started`, unit: 's', ours: (outage.to - outage.started) / 1000 }),
      )
    }
    const stray = errors.filter((one) => !outages.some((outage) => isDuring(one, outage)))
    report(stray)
    rows.push(errorRow('errors while nothing is down', stray.length, 0))
  }

  progress(`Comparing ${acknowledged(ledger)} acknowledged writes`)
  await untilSettled(cluster)
  const differences = await compare(ledger, cluster)
  for (const difference of differences.slice(0, 20)) progress(`  ${difference}`)
  rows.push(errorRow(`lost or doubled of ${acknowledged(ledger)} acknowledged writes`, differences.length, 0))
} finally {
  await cluster.stop()
}
printTable(rows)
if (rows.some((row) => holds(row) === false)) process.exitCode = 1

/** Ours is the 95th percentile. */
function timeRow(kind: string, outcomes: readonly Outcome[]): Row {
  const times = outcomes.map(({ due, end }) => end - due)
  return toRow({ case: `${kind}, p95`, unit: 'ms', ours: p95(outcomes), oursP50: quantile(times, 0.5), oursP99: quantile(times, 0.99) })
}

function errorRow(name: string, ours: number, atMost?: number): Row {
  return toRow({ case: name, unit: 'errors', ours, aims: atMost === undefined ? [] : [{ of: 'ours', atMost }] })
}

function report(outcomes: readonly Outcome[]): void {
  const counts = Map.groupBy(failed(outcomes), ({ error }) => error)
  for (const [error, { length }] of counts) progress(`  ${length} × ${error}`)
}
