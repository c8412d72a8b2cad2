import { progress, quantile, type Row, toRow } from '../report.ts'
import type { Process } from '../load/processes.ts'
import { type Kind, type Outcome, sendMix } from './open-loop.ts'
import { loopDelay } from './server.ts'

const perSecond = 100
/** Seconds: workers start, and statements are prepared. */
const warmUp = 5

/** Sends a hundred requests a second in a believable mix, and measures the delay of the server's event loop and each kind's latency. */
export async function measureSteady(server: Process, kinds: readonly Kind[], seconds: number): Promise<Row[]> {
  await sendMix(server.url, kinds, perSecond, warmUp)
  await loopDelay(server)
  const outcomes = await sendMix(server.url, kinds, perSecond, seconds)
  const { p50, p99, max } = await loopDelay(server)
  const errors = [...outcomes.values()].flatMap((outcome) => outcome.errors)
  for (const error of new Set(errors)) progress(`  ${error}`)
  return [
    { ...row(`${perSecond} requests a second: event loop delay, p99`, p99), oursP50: p50, aims: [{ of: 'ours', atMost: 20 }] },
    row(`${perSecond} requests a second: event loop delay, longest`, max),
    { ...row(`${perSecond} requests a second: errors`, errors.length), unit: 'errors', aims: [{ of: 'ours', atMost: 0 }] },
    ...[...outcomes].map(([kind, outcome]) => latencyRow(`${perSecond} requests a second: ${kind.name}, p95`, outcome)),
  ]
}

/** Ours is the 95th percentile. */
export const latencyRow = (name: string, { latencies }: Outcome): Row => ({
  ...row(name, quantile(latencies, 0.95)),
  oursP50: quantile(latencies, 0.5),
  oursP99: quantile(latencies, 0.99),
})

const row = (name: string, ours: number): Row => toRow({ case: name, unit: 'ms', ours })
