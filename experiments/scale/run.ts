import { setTimeout as wait } from 'node:timers/promises'
import { pace } from '../../bench/mixed/open-loop.ts'
import { quantile } from '../../bench/report.ts'
import type { Cluster, Part } from './cluster.ts'
import type { Outcome, Work } from './staff.ts'

/** When something was killed, when it was started again, and when every process was ready (`performance.now()`). */
export type Outage = { name: string; from: number; started: number; to: number }

/** Sends so many requests a second for a number of seconds, or until the signal says so. */
export async function load(staff: readonly Work[], perSecond: number, seconds: number, over?: AbortSignal): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const send = async (work: Work, n: number, due: number) => {
    const error = await work.run(n).then(
      () => null,
      (problem: Error) => problem.message || String((problem as NodeJS.ErrnoException).code),
    )
    outcomes.push({ kind: work.name, due, end: performance.now(), error })
  }
  await pace(staff, perSecond, seconds, send, over)
  return outcomes
}

type Times = { perSecond: number; /** Seconds before each kill and after the last. */ calmSeconds: number; downSeconds: number }

/** Kills each part in turn while requests are sent, and brings it back after a while. */
export async function killEach(cluster: Cluster, staff: readonly Work[], parts: readonly Part[], times: Times) {
  const over = new AbortController()
  const loading = load(staff, times.perSecond, 3_600, over.signal)
  const outages: Outage[] = []
  for (const { name, kill, start } of parts) {
    await wait(times.calmSeconds * 1000)
    const from = performance.now()
    await kill()
    await wait(times.downSeconds * 1000)
    const started = performance.now()
    await start()
    await cluster.ready()
    outages.push({ name, from, started, to: performance.now() })
  }
  await wait(times.calmSeconds * 1000)
  over.abort()
  return { outcomes: await loading, outages }
}

export const isDuring = ({ due, end }: Outcome, { from, to }: Outage): boolean => due <= to && end >= from

export const failed = (outcomes: readonly Outcome[]): Outcome[] => outcomes.filter(({ error }) => error !== null)

/** The 95th percentile of the time from when a request was due until its response had arrived, in milliseconds. */
export const p95 = (outcomes: readonly Outcome[]): number =>
  quantile(
    outcomes.map(({ due, end }) => end - due),
    0.95,
  )

/** The highest rate, within a tenth, at which `holds` is true: it doubles until it is not, then halves the interval. */
export async function findBound(first: number, holds: (perSecond: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, Infinity]
  while (high - low > Math.max(1, low / 10)) {
    const rate = high === Infinity ? Math.max(first, 2 * low) : Math.round((low + high) / 2)
    if (await holds(rate)) low = rate
    else high = rate
  }
  return low
}
