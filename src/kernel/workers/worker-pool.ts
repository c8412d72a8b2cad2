import { fork } from 'node:child_process'

/** `memoryMb`: what the worker holds afterwards. */
export type Answered<Output> = ({ output: Output } | { failed: string }) & { memoryMb: number }

type PoolOptions = {
  /** What its workers do, for errors. */
  name: string
  /** Milliseconds for one piece of work, from when a worker begins it. */
  timeoutMs: number
  /** Of each worker, in MB: all of its memory, that of buffers and native code included. An idle one has some 60. */
  maxMemoryMb: number
  /** MB: a worker that holds more after its work is not kept, as it rarely gives memory back. Default: 150. */
  keptBelowMb?: number
  /** How many work at the same time. */
  workers?: number
  /** How many pieces of work may wait; what is more is refused at once. */
  maxWaiting?: number
}

/**
 * Why a worker has no answer: it was never begun because too many wait (`busy`), it took too long (`timeout`), its worker died of it, as of too
 * little memory (`ended`), or it threw (`failed`).
 */
export class WorkerError extends Error {
  readonly reason: 'busy' | 'timeout' | 'ended' | 'failed'

  constructor(reason: WorkerError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Milliseconds that an idle worker is kept: one request is often followed by another, and a worker takes time to start. */
const keptFor = 60_000
/** Idle workers kept by all pools together; the one that has been idle longest is ended first. */
const maxKept = 2
const kept = new Set<() => void>()

/**
 * Work that would hold up everyone else, or that an unknown sender could make endless, done by workers of its own. Each does one piece at a time.
 * One that takes too long or too much memory is ended: that piece is refused, and the next has a new worker. An idle one is kept for a minute,
 * unless it has grown or two were used later. `file` answers by `runWorker`; what goes in and comes out is copied.
 *
 * A worker is a process. The `resourceLimits` of a thread are no limit: native code and buffers do not count, and what allocates much at once
 * (JSON.parse, an array that grows) aborts the whole process before the thread is ended.
 * @throws a WorkerError
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what crosses to a worker has the types that the caller gives
export function createWorkerPool<Work extends (input: never) => Promise<unknown>>(file: URL, options: PoolOptions): Work {
  type Input = Parameters<Work>[0]
  type Output = Awaited<ReturnType<Work>>
  type Asked = { input: Input; resolve: (output: Output) => void; reject: (error: Error) => void }
  const { name, timeoutMs, maxMemoryMb, keptBelowMb = 150, workers = 1, maxWaiting = Infinity } = options

  const waiting: Asked[] = []
  const idle: ((asked: Asked) => void)[] = []
  let running = 0

  const hasFree = () => idle.length > 0 || running < workers
  function next() {
    while (waiting.length > 0 && hasFree()) (idle.pop() ?? start())(waiting.shift()!)
  }

  /** Answers how the new worker is given a piece of work. */
  function start(): (asked: Asked) => void {
    running++
    const worker = startProcess(file, maxMemoryMb)
    let current: Asked | null = null
    let timer: NodeJS.Timeout | undefined
    let isOver = false

    function give(asked: Asked) {
      clearTimeout(timer)
      kept.delete(letGo)
      current = asked
      timer = setTimeout(() => end('timeout'), timeoutMs)
      worker.ref()
      worker.channel?.ref()
      worker.send(asked.input, (error) => error && end('ended'))
    }

    worker.on('message', (answer: Answered<Output>) => {
      const asked = current
      if (!asked) return
      clearTimeout(timer)
      current = null
      if ('output' in answer) asked.resolve(answer.output)
      else asked.reject(new WorkerError('failed', `'${name}' failed: ${answer.failed}`))
      if (answer.memoryMb > keptBelowMb) return letGo()
      // An idle worker does not keep this process from ending.
      worker.unref()
      worker.channel?.unref()
      timer = setTimeout(letGo, keptFor).unref()
      idle.push(give)
      kept.add(letGo)
      next()
      if (kept.size > maxKept) kept.values().next().value!()
    })

    const letGo = () => end('ended')
    function end(reason: 'timeout' | 'ended') {
      if (isOver) return
      isOver = true
      running--
      clearTimeout(timer)
      kept.delete(letGo)
      if (idle.includes(give)) idle.splice(idle.indexOf(give), 1)
      worker.kill('SIGKILL')
      current?.reject(new WorkerError(reason, reason === 'timeout' ? `'${name}' took too long` : `The worker of '${name}' has ended`))
      current = null
      next()
    }
    worker.on('error', () => end('ended'))
    worker.on('exit', () => end('ended'))
    return give
  }

  return ((input: Input) =>
    new Promise<Output>((resolve, reject) => {
      if (waiting.length < maxWaiting || hasFree()) {
        waiting.push({ input, resolve, reject })
        next()
      } else reject(new WorkerError('busy', `Too much waits for '${name}'`))
    })) as Work
}

/** None of our settings, so no secret, reaches what reads files from outside; and what it prints may be a patient's. */
const passedOn = /^(PATH|TMPDIR|TEMP|TMP|SYSTEMROOT|HOME|LANG|TZ)$/i

const startProcess = (file: URL, maxMemoryMb: number) =>
  fork(file, [String(maxMemoryMb)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // oxlint-disable-next-line eslint/no-restricted-properties -- no setting of ours: what the operating system needs
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name))),
    execArgv: [`--max-old-space-size=${maxMemoryMb}`],
  })
