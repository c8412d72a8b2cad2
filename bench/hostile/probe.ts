/** Probes a server's health and memory every 50 ms and reports the worst values. A separate process, so that only the machine delays it. */
import fs from 'node:fs'
import http from 'node:http'

export type ProbeResult = { worstMs: number; peakMb: number; asked: number; failed: number }

const everyMs = 50
const [url = '', pid = ''] = process.argv.slice(2)
const agent = new http.Agent({ keepAlive: true })
let result: ProbeResult = empty()
const open = new Set<number>()

function empty(): ProbeResult {
  return { worstMs: 0, peakMb: 0, asked: 0, failed: 0 }
}

function ask() {
  const begin = performance.now()
  open.add(begin)
  const done = (isOk: boolean) => {
    if (!open.delete(begin)) return
    result.asked++
    if (!isOk) result.failed++
    result.worstMs = Math.max(result.worstMs, performance.now() - begin)
  }
  http
    .get(`${url}/health/live`, { agent }, (response) => {
      response.resume()
      response.on('end', () => done(response.statusCode === 200))
    })
    .on('error', () => done(false))
}

/** The memory of the server and its descendants in MB. Shared memory counts once. */
function memory(): number {
  const parents = new Map<string, string>()
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = read(`/proc/${name}/stat`)
    parents.set(name, stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]!)
  }
  const isOurs = (one: string | undefined): boolean => one === pid || (one !== undefined && one !== '0' && isOurs(parents.get(one)))
  let kilobytes = 0
  for (const name of parents.keys())
    if (isOurs(name)) kilobytes += Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${name}/smaps_rollup`))?.[1] ?? 0)
  return kilobytes / 1024
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return '' // the process has exited
  }
}

setInterval(() => {
  ask()
  result.peakMb = Math.max(result.peakMb, memory())
}, everyMs)

process.on('message', (order: 'begin' | 'end') => {
  if (order === 'begin') result = empty()
  else {
    // A pending request has waited at least this long.
    for (const begin of open) result.worstMs = Math.max(result.worstMs, performance.now() - begin)
    process.send!(result)
  }
})
process.on('disconnect', () => process.exit())
