import { Worker } from 'node:worker_threads'
import { errorCode } from '../errors.ts'
import type { WorkerReply } from './worker-pool.ts'

/**
 * The worker side of `createWorkerPool`. Errors are reported only by name and code, because messages may contain patients' data.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what comes in has the types of the work
export function runWorker<Work extends (input: never) => unknown>(work: Work): void {
  type Output = Awaited<ReturnType<Work>>
  const memoryMb = () => process.memoryUsage.rss() / 1024 / 1024
  process.on('message', (input: Parameters<Work>[0]) => {
    Promise.try(work, input).then(
      (output) => process.send?.({ output: output as Output, memoryMb: memoryMb() } satisfies WorkerReply<Output>),
      (error: unknown) => {
        const failed = error instanceof Error ? error.name : 'failed'
        process.send?.({ failed, code: errorCode(error), memoryMb: memoryMb() } satisfies WorkerReply<Output>)
      },
    )
  })
  // Ends with its parent process, or when it exceeds its memory limit. A thread checks this, because the task may block the event loop.
  process.once('disconnect', () => process.exit())
  new Worker(new URL('./memory-guard.ts', import.meta.url), {
    workerData: { maxMemoryMb: Number(process.argv[2]), parent: process.ppid },
  }).unref()
}
