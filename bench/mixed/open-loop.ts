import http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

export type Call = { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string | Buffer }
/** One kind of request: how many of a hundred are of this kind, and the calls of its nth request, one after the other. */
export type Kind = { name: string; share: number; calls: (n: number) => Call[] }
/** Milliseconds from when a request was due until its last response had arrived, and the responses that were not successful. */
export type Outcome = { latencies: number[]; errors: string[] }

/** Sends `perSecond` requests a second for a number of seconds, however long their responses take, the kinds evenly mixed. */
export async function sendMix(
  url: string,
  kinds: readonly Kind[],
  perSecond: number,
  seconds: number,
  onError: (error: string) => void = () => {},
): Promise<Map<Kind, Outcome>> {
  const agent = new http.Agent({ keepAlive: true })
  const outcomes = new Map(kinds.map((kind): [Kind, Outcome] => [kind, { latencies: [], errors: [] }]))
  await pace(kinds, perSecond, seconds, (kind, n, due) => sendAll(url, agent, kind.calls(n), due, outcomes.get(kind)!, onError))
  agent.destroy()
  return outcomes
}

/**
 * Calls `send` at an even pace until the time is over or the signal says so, however long each takes, the kinds evenly mixed, and waits for all.
 * `n` counts the calls of a kind; `due` is when this one was due (`performance.now()`).
 */
export async function pace<One extends { share: number }>(
  kinds: readonly One[],
  perSecond: number,
  seconds: number,
  send: (kind: One, n: number, due: number) => Promise<void>,
  over?: AbortSignal,
): Promise<void> {
  const counts = new Map<One, number>()
  const begin = performance.now()
  const sent: Promise<void>[] = []
  for (const [at, kind] of mixed(kinds, perSecond * seconds).entries()) {
    const due = begin + (at * 1000) / perSecond
    await wait(Math.max(0, due - performance.now()))
    if (over?.aborted) break
    const n = counts.get(kind) ?? 0
    counts.set(kind, n + 1)
    sent.push(send(kind, n, due))
  }
  await Promise.all(sent)
}

/** The kinds in the order in which they are sent: each as often as its share, evenly spread. */
function mixed<One extends { share: number }>(kinds: readonly One[], count: number): One[] {
  const total = kinds.reduce((sum, { share }) => sum + share, 0)
  const owed = new Map(kinds.map((kind) => [kind, 0]))
  return Array.from({ length: count }, () => {
    for (const kind of kinds) owed.set(kind, owed.get(kind)! + kind.share)
    const next = kinds.reduce((most, kind) => (owed.get(kind)! > owed.get(most)! ? kind : most))
    owed.set(next, owed.get(next)! - total)
    return next
  })
}

async function sendAll(
  url: string,
  agent: http.Agent,
  calls: Call[],
  due: number,
  { latencies, errors }: Outcome,
  onError: (error: string) => void,
): Promise<void> {
  for (const call of calls) {
    const status = await sendOne(url, agent, call).catch(String)
    if (status === 'success') continue
    const error = `${call.method} ${call.path}: ${status}`
    errors.push(error)
    onError(error)
  }
  latencies.push(performance.now() - due)
}

/** @returns 'success', or the status. */
const sendOne = (url: string, agent: http.Agent, { method, path, headers = {}, body }: Call) =>
  new Promise<string>((resolve, reject) => {
    const request = http.request(url + path, { agent, method, headers }, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode! < 300 ? 'success' : String(response.statusCode)))
    })
    request.on('error', reject)
    request.end(body)
  })
