import { Worker } from 'node:worker_threads'

export type Asked<Input> = { id: number; input: Input }
export type Answered<Output> = { id: number } & ({ output: Output } | { failed: string })

type Waiting<Output> = { resolve: (output: Output) => void; reject: (error: Error) => void; late: NodeJS.Timeout }

/** Milliseconds: who asks once often asks again, and a thread takes its time to begin. */
const keptFor = 60_000

/**
 * Work that would hold up everybody else, done in a thread of its own that is kept for a minute. `file` answers by `answerThread`; `name` says in
 * errors what it does.
 * @throws a plain error when it fails, or not within `patience` milliseconds: then the thread is ended, with all that waits for it.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what crosses to a thread has the types that whoever keeps it says
export function keepThread<Thread extends (input: never) => Promise<unknown>>(
  file: URL,
  { name, patience }: { name: string; patience: number },
): Thread {
  type Input = Parameters<Thread>[0]
  type Output = Awaited<ReturnType<Thread>>
  let thread: Thread | null = null
  let last = 0

  function start(): Thread {
    const worker = new Worker(file)
    const waiting = new Map<number, Waiting<Output>>()
    let idle: NodeJS.Timeout | undefined

    function end(error: Error) {
      if (thread === ask) thread = null
      clearTimeout(idle)
      for (const { reject, late } of waiting.values()) {
        clearTimeout(late)
        reject(error)
      }
      waiting.clear()
      void worker.terminate()
    }
    worker.on('error', end)
    worker.on('exit', () => end(new Error(`The thread of '${name}' has ended`)))
    worker.on('message', (answer: Answered<Output>) => {
      const asked = waiting.get(answer.id)
      if (!asked) return
      waiting.delete(answer.id)
      clearTimeout(asked.late)
      if ('output' in answer) asked.resolve(answer.output)
      else asked.reject(new Error(`'${name}' failed: ${answer.failed}`))
      if (waiting.size > 0) return
      worker.unref()
      idle = setTimeout(() => end(new Error(`The thread of '${name}' was idle`)), keptFor).unref()
    })

    function ask(input: Input): Promise<Output> {
      clearTimeout(idle)
      worker.ref()
      const id = ++last
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => end(new Error(`'${name}' took too long`)), patience)
        waiting.set(id, { resolve, reject, late })
        worker.postMessage({ id, input } satisfies Asked<Input>, [])
      })
    }
    return ask as Thread
  }

  return ((input: Input) => {
    thread ??= start()
    return thread(input)
  }) as Thread
}
