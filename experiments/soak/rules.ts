import { slope } from '../../bench/report.ts'

/** Of one process, in MB of a million bytes. */
export type ProcessSample = {
  /** What JavaScript still uses after two garbage collections, buffers included. */
  heapMb: number
  rssMb: number
  workers: number
  workersMb: number
}

export type Sample = {
  minute: number
  processes: ProcessSample[]
  /** Connections that the processes have open in PostgreSQL. */
  connections: number
  /** Jobs that are due, and those that failed at their last attempt. */
  jobsDue: number
  jobsFailed: number
  /** Event streams that are open in the processes. */
  streams: number
  /** So far: streams that were opened again, and changes that one of them did not receive. */
  reconnects: number
  missed: number
  errors: number
}

/** `holds`: null if it has no aim, or the run was too short to say. */
export type Verdict = { what: string; result: string; aim: string; holds: boolean | null }

/** In this time caches fill and the engine compiles. */
const warmUpMinutes = 10
/** Fewer samples say nothing about an hour. */
const minSamples = 10
const maxHeapGrowth = 5
const maxMoreConnections = 2

/** How much a value grows in an hour after the warm-up, by linear regression; null after too few samples. */
export function growthPerHour(samples: readonly Sample[], valueOf: (sample: Sample) => number): number | null {
  const settled = samples.filter(({ minute }) => minute >= warmUpMinutes)
  return settled.length < minSamples ? null : slope(settled.map((sample) => [sample.minute / 60, valueOf(sample)] as const))
}

/** Whether the samples, of which the last one was taken after the load, reach their aims. `streams`: how many should be open. */
export function judge(samples: readonly Sample[], streams: number): Verdict[] {
  const last = samples.at(-1)!
  const underLoad = samples.slice(0, -1)
  const cuts = underLoad.length
  return [
    ...last.processes.flatMap((_process, at) => [
      memoryVerdict(`process ${at + 1}: heap after garbage collection`, underLoad, (sample) => sample.processes[at]!.heapMb, maxHeapGrowth),
      memoryVerdict(`process ${at + 1}: resident memory`, underLoad, (sample) => sample.processes[at]!.rssMb),
      memoryVerdict(`process ${at + 1}: memory of its workers`, underLoad, (sample) => sample.processes[at]!.workersMb),
    ]),
    connectionsVerdict(underLoad),
    verdict('jobs due at the end', last.jobsDue, 0),
    verdict('jobs that failed permanently', last.jobsFailed, 0),
    verdict('event streams open at the end', last.streams, streams),
    verdict('event streams opened again after a cut', last.reconnects, cuts * streams),
    verdict('changes that a stream missed', last.missed, 0),
    verdict('errors', last.errors, 0),
  ]
}

const verdict = (what: string, value: number, aim: number): Verdict => ({
  what,
  result: String(value),
  aim: String(aim),
  holds: value === aim,
})

/** Resident memory has no aim: the allocator returns what is free to the system when it likes. */
function memoryVerdict(what: string, samples: readonly Sample[], valueOf: (sample: Sample) => number, aim?: number): Verdict {
  const growth = growthPerHour(samples, valueOf)
  return {
    what,
    result: growth === null ? 'too short to say' : `${growth.toFixed(1)} MB/h`,
    aim: aim === undefined ? '' : `< ${aim} MB/h`,
    holds: growth === null || aim === undefined ? null : growth < aim,
  }
}

function connectionsVerdict(samples: readonly Sample[]): Verdict {
  const growth = growthPerHour(samples, ({ connections }) => connections)
  const max = Math.max(...samples.map(({ connections }) => connections))
  return {
    what: 'database connections',
    result: growth === null ? `at most ${max}, too short to say more` : `at most ${max}, ${growth.toFixed(1)} more in an hour`,
    aim: `< ${maxMoreConnections} more in an hour`,
    holds: growth === null ? null : growth < maxMoreConnections,
  }
}
