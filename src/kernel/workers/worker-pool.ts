import { type ChildProcess, fork } from 'node:child_process'
import os from 'node:os'

/** `memoryMb`: the worker's memory afterwards. */
export type WorkerReply<Output> = ({ output: Output } | { failed: string; code: string | null }) & { memoryMb: number }

type PoolOptions = {
  /** What the workers do, for error messages. */
  name: string
  /** The time limit of a task in milliseconds, from when a worker starts it. */
  timeoutMs: number
  /** The memory limit of a worker in MB, including buffers and native code. An idle worker uses about 60. */
  maxMemoryMb: number
  /** A worker that uses more MB after a task is ended, because it rarely releases memory. Default: 150. */
  reuseBelowMb?: number
  /** The number of concurrent workers. */
  workers?: number
  /** The most tasks that may wait; more are refused immediately. */
  maxWaiting?: number
  /** Whether someone waits for each task on the screen: its workers then have the server's own priority. */
  isUrgent?: boolean
}

/**
 * Why a task has no result: too many tasks were waiting (`busy`), it took too long (`timeout`), its worker died, for example from a lack of
 * memory (`ended`), or it threw (`failed`).
 */
export class WorkerError extends Error {
  readonly reason: 'busy' | 'timeout' | 'ended' | 'failed'
  /** Of what was thrown, such as 'ENOSPC'. */
  readonly code: string | null

  constructor(reason: WorkerError['reason'], message: string, code: string | null = null) {
    super(message)
    this.reason = reason
    this.code = code
  }
}

/** How long an idle worker is kept, in milliseconds: requests often follow each other, and a worker takes time to start. */
const idleTimeoutMs = 60_000
/** The most idle workers of all pools together; the one idle longest is ended first. */
export const maxIdle = 4
const idleWorkers = new Set<() => void>()

/**
 * Runs tasks that would block the process, or that untrusted input could make endless, in separate workers, one task at a time each. A
 * worker that takes too long or too much memory is ended: its task fails, and the next one gets a new worker. An idle worker is kept for a
 * minute, unless it has grown or four others were used later. `file` calls `runWorker`. Input and output are copied.
 *
 * Workers are processes, because the `resourceLimits` of threads are not enough: native code and buffers do not count, and a large
 * allocation (JSON.parse, a growing array) aborts the whole process before the thread is ended.
 * @throws a WorkerError
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what crosses to a worker has the types that the caller gives
export function createWorkerPool<Work extends (input: never) => Promise<unknown>>(file: URL, options: PoolOptions): Work {
  type Input = Parameters<Work>[0]
  type Output = Awaited<ReturnType<Work>>
  type Task = { input: Input; resolve: (output: Output) => void; reject: (error: Error) => void }
  const { name, timeoutMs, maxMemoryMb, reuseBelowMb = 150, workers = 1, maxWaiting = Infinity, isUrgent = false } = options

  const waiting: Task[] = []
  const idle: ((task: Task) => void)[] = []
  let running = 0

  const hasCapacity = () => idle.length > 0 || running < workers
  function next() {
    while (waiting.length > 0 && hasCapacity()) (idle.pop() ?? start())(waiting.shift()!)
  }

  /** Starts a worker and returns the function that assigns it a task. */
  function start(): (task: Task) => void {
    running++
    const worker = startProcess(file, maxMemoryMb)
    if (!isUrgent) lowerPriority(worker.pid)
    let current: Task | null = null
    let timer: NodeJS.Timeout | undefined
    let hasEnded = false

    function assign(task: Task) {
      clearTimeout(timer)
      idleWorkers.delete(stop)
      current = task
      timer = setTimeout(() => end('timeout'), timeoutMs)
      worker.ref()
      worker.channel?.ref()
      worker.send(task.input, (error) => error && end('ended'))
    }

    worker.on('message', (answer: WorkerReply<Output>) => {
      const task = current
      if (!task) return
      clearTimeout(timer)
      current = null
      if ('output' in answer) task.resolve(answer.output)
      else task.reject(new WorkerError('failed', `'${name}' failed: ${answer.failed}`, answer.code))
      if (answer.memoryMb > reuseBelowMb) return stop()
      // An idle worker does not keep this process from ending.
      worker.unref()
      worker.channel?.unref()
      timer = setTimeout(stop, idleTimeoutMs).unref()
      idle.push(assign)
      idleWorkers.add(stop)
      next()
      if (idleWorkers.size > maxIdle) idleWorkers.values().next().value!()
    })

    const stop = () => end('ended')
    function end(reason: 'timeout' | 'ended') {
      if (hasEnded) return
      hasEnded = true
      running--
      clearTimeout(timer)
      idleWorkers.delete(stop)
      if (idle.includes(assign)) idle.splice(idle.indexOf(assign), 1)
      worker.kill('SIGKILL')
      current?.reject(new WorkerError(reason, reason === 'timeout' ? `'${name}' took too long` : `The worker of '${name}' has ended`))
      current = null
      next()
    }
    worker.on('error', () => end('ended'))
    worker.on('exit', () => end('ended'))
    return assign
  }

  return ((input: Input) =>
    new Promise<Output>((resolve, reject) => {
      if (waiting.length < maxWaiting || hasCapacity()) {
        waiting.push({ input, resolve, reject })
        next()
      } else reject(new WorkerError('busy', `Too many tasks are waiting for '${name}'`))
    })) as Work
}

/**
 * Workers read untrusted files, so they get none of our settings and secrets. Their output is discarded, because it may contain patients'
 * data.
 */
const allowedVariables = /^(PATH|TMPDIR|TEMP|TMP|SYSTEMROOT|HOME|LANG|TZ)$/i

/** The environment of a process that gets no settings from there. */
export const systemVariables = (): Record<string, string | undefined> =>
  // oxlint-disable-next-line eslint/no-restricted-properties -- no setting of ours: what the operating system needs
  Object.fromEntries(Object.entries(process.env).filter(([name]) => allowedVariables.test(name)))

function startProcess(file: URL, maxMemoryMb: number): ChildProcess {
  const worker = fork(file, [String(maxMemoryMb)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: systemVariables(),
    execArgv: [`--max-old-space-size=${maxMemoryMb}`],
  })
  return worker
}

/** Gives the server and the database precedence on busy processors: people wait for pages, and a file can wait a moment. */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended, or the operating system refuses; the work does not depend on it.
  }
}
