import type { LoadRequest, LoadResult } from './protocol.ts'
import type { Load } from './processes.ts'
import { median, quantile, ratio, type Row } from '../report.ts'

export type Side = { url: string; headers: Record<string, string> }
export type Sides = { load: Load; ours: Side; bare: Side }

/** What each side is asked: the same work in its own words. */
export type SideRequests = Record<'ours' | 'bare', LoadRequest[]>

type Measured = { row: Row; ours: LoadResult[] }

const rounds = 3

/** Measures our server and the baseline in turn, three times each after a warm-up, and reports the medians. */
export async function measurePair(
  sides: Sides,
  name: string,
  connections: number,
  seconds: number,
  requests: SideRequests,
): Promise<Measured> {
  const ask = (side: 'ours' | 'bare', long: number) =>
    sides.load.ask({ ...sides[side], connections, seconds: long, requests: requests[side] })
  for (const side of ['ours', 'bare'] as const) await ask(side, Math.min(1, seconds))
  const [ours, bare]: [LoadResult[], LoadResult[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    ours.push(await ask('ours', seconds))
    bare.push(await ask('bare', seconds))
  }
  return { ours, row: rowOf(name, connections, ours, bare) }
}

function rowOf(name: string, connections: number, ours: LoadResult[], bare: LoadResult[]): Row {
  const rate = (results: LoadResult[]) => median(results.map(({ perSecond }) => perSecond))
  const latency = (results: LoadResult[], part: number) =>
    median(
      results.map(({ latencies }) =>
        quantile(
          latencies.map(({ ms }) => ms),
          part,
        ),
      ),
    )
  return {
    case: name,
    connections,
    unit: 'req/s',
    ours: rate(ours),
    baseline: rate(bare),
    ratio: ratio(rate(ours), rate(bare)),
    oursP50: latency(ours, 0.5),
    oursP99: latency(ours, 0.99),
    baselineP50: latency(bare, 0.5),
    baselineP99: latency(bare, 0.99),
    aims: [],
  }
}
