import { Worker } from 'node:worker_threads'
import type { Paper } from './paper.ts'

type Drawn = { id: number } & ({ bytes: Uint8Array<ArrayBuffer> } | { failed: string })
type Waiting = { resolve: (bytes: Uint8Array<ArrayBuffer>) => void; reject: (error: Error) => void; late: NodeJS.Timeout }

/** Milliseconds. A paper of a hundred pages takes a few seconds. */
const patience = 60_000
/** Milliseconds: who prints one receipt often prints the next, and fonts take a quarter of a second to read. */
const keptFor = 60_000

let thread: ReturnType<typeof startThread> | null = null
let last = 0

/**
 * A paper as a PDF, drawn in a thread that is kept for a minute.
 * @throws a plain error when it cannot be drawn, or not within a minute.
 */
export function renderPaper(paper: Paper): Promise<Uint8Array<ArrayBuffer>> {
  thread ??= startThread()
  return thread(paper)
}

function startThread() {
  const worker = new Worker(new URL('./worker.ts', import.meta.url))
  const waiting = new Map<number, Waiting>()
  let idle: NodeJS.Timeout | undefined

  function end(error: Error) {
    if (thread === draw) thread = null
    clearTimeout(idle)
    for (const { reject, late } of waiting.values()) {
      clearTimeout(late)
      reject(error)
    }
    waiting.clear()
    void worker.terminate()
  }
  worker.on('error', end)
  worker.on('exit', () => end(new Error('The thread that draws papers has ended')))
  worker.on('message', (drawn: Drawn) => {
    const asked = waiting.get(drawn.id)
    if (!asked) return
    waiting.delete(drawn.id)
    clearTimeout(asked.late)
    if ('bytes' in drawn) asked.resolve(drawn.bytes)
    else asked.reject(new Error(`A paper cannot be drawn: ${drawn.failed}`))
    if (waiting.size > 0) return
    worker.unref()
    idle = setTimeout(() => end(new Error('The thread that draws papers was idle')), keptFor).unref()
  })

  function draw(paper: Paper): Promise<Uint8Array<ArrayBuffer>> {
    clearTimeout(idle)
    worker.ref()
    const id = ++last
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => end(new Error('A paper was not drawn in time')), patience)
      waiting.set(id, { resolve, reject, late })
      worker.postMessage({ id, paper }, [])
    })
  }
  return draw
}
