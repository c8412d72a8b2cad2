import { type Clinic, openClinic } from '../clinic/clinic.ts'
import type { LoadRequest } from './protocol.ts'
import { measurePair, type Sides } from './pair.ts'
import { startBare, startLoad, startServer } from './processes.ts'
import { type Aim, aimsAt, progress, quantile, type Row } from '../report.ts'
import { assertSameResponses } from './same-responses.ts'
import { signIn } from '../clinic/session.ts'

/** One, and more than the number of cores. */
const defaultConnections = [1, 16]

/** `terms`: what each request searches for. */
type Measure = (
  name: string,
  requests: LoadRequest[],
  given?: { terms?: string[]; aims?: readonly Aim[]; connections?: number[] },
) => Promise<void>

/** Opens a clinic of this size with our server and the baseline, and returns what `work` measures, with 1 and 16 connections by default. */
export async function withClinic(
  size: number,
  seconds: number,
  only: string,
  work: (clinic: Clinic, measure: Measure, sides: Sides) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<Row[]> {
  const clinic = await openClinic(size)
  const server = await startServer(clinic.ownerUrl, settings)
  const bare = await startBare(clinic.appUrl, settings)
  const load = startLoad()
  const rows: Row[] = []
  try {
    const cookie = await signIn(clinic.ownerUrl, server.url)
    const sides: Sides = { load, ours: { url: server.url, headers: { cookie } }, bare: { url: bare.url, headers: {} } }
    const measure: Measure = async (name, requests, given = {}) => {
      if (!name.includes(only)) return
      if (requests.length === 0) throw new Error(`No requests to send: ${name}`)
      if (requests[0]!.method === 'GET') await assertSameResponses(sides, requests)
      for (const connections of given.connections ?? defaultConnections) {
        const { row, ours } = await measurePair(sides, `${size.toLocaleString('en-CA')}: ${name}`, connections, seconds, {
          ours: requests,
          bare: requests,
        })
        row.aims = aimsAt(connections, given.aims ?? [])
        if (given.terms)
          printSlowest(
            given.terms,
            ours.flatMap(({ latencies }) => latencies),
          )
        progress(
          `  ${row.case}, ${connections} connections: ${row.ours.toFixed(0)} against ${row.baseline?.toFixed(0)} a second, ${row.ratio}`,
        )
        rows.push(row)
      }
    }
    await work(clinic, measure, sides)
  } catch (error) {
    process.stderr.write(server.output() + bare.output())
    throw error
  } finally {
    await Promise.all([load.stop(), server.stop(), bare.stop()])
    await clinic.close()
  }
  return rows
}

/** Prints the slowest terms, to show what causes a high p99. */
function printSlowest(terms: string[], latencies: { request: number; ms: number }[]): void {
  const byTerm = Map.groupBy(latencies, ({ request }) => request)
  const slowest = [...byTerm]
    .map(([request, all]) => ({
      term: terms[request]!,
      p50: quantile(
        all.map(({ ms }) => ms),
        0.5,
      ),
    }))
    .toSorted((a, b) => b.p50 - a.p50)
    .slice(0, 3)
  progress(`    slowest: ${slowest.map(({ term, p50 }) => `'${term}' ${p50.toFixed(1)} ms`).join(', ')}`)
}
