import fs from 'node:fs'
import path from 'node:path'
import { type Process, startBuiltServer } from '../../bench/load/processes.ts'
import { askFor, mixedSettings } from '../../bench/mixed/server.ts'
import type { Memory } from './memory.ts'
import type { ProcessSample } from './rules.ts'

const megabyte = 1_000_000
const metricsToken = 'token-of-the-soak-experiment'

export type Figures = { process: ProcessSample; streams: number; failedRuns: number }

/** Starts the built server as operators run it, and with its metrics. */
export const startProcesses = (count: number, databaseUrl: string, folder: string, given: Record<string, string>): Promise<Process[]> => {
  const settings = {
    ...mixedSettings(folder),
    NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'memory.ts')}`,
    METRICS_TOKEN: metricsToken,
    ...given,
  }
  return Promise.all(Array.from({ length: count }, () => startBuiltServer(databaseUrl, settings)))
}

export async function readFigures(server: Process): Promise<Figures> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  if (!response.ok) throw new Error(`The metrics answered ${response.status}`)
  const text = await response.text()
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name} (\\S+)$`, 'gm'))].reduce((total, [, value]) => total + Number(value), 0)
  const { heapUsed, external } = await askFor<Memory>(server, 'memory')
  const workers = childrenOf(server.pid)
  return {
    process: {
      heapMb: (heapUsed + external) / megabyte,
      rssMb: sum('process_resident_memory_bytes') / megabyte,
      workers: workers.length,
      workersMb: workers.reduce((total, pid) => total + memoryOf(pid), 0),
    },
    streams: sum('refyne_event_streams'),
    failedRuns: sum('refyne_job_duration_seconds_count\\{.*outcome="failed".*\\}'),
  }
}

/** The workers of a process; none where there is no /proc. */
const childrenOf = (pid: number): string[] => read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)

/** In MB; what several processes share counts in part. */
const memoryOf = (pid: string): number => (Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024) / megabyte

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return '' // it has ended
  }
}
