import { Worker } from 'node:worker_threads'
import type { Answered } from './worker-pool.ts'

/**
 * The other side of `createWorkerPool`: does what is asked. What goes wrong is told by its name alone: a message may have a patient's in it.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what comes in has the types of the work
export function runWorker<Work extends (input: never) => unknown>(work: Work): void {
  type Output = Awaited<ReturnType<Work>>
  const memoryMb = () => process.memoryUsage.rss() / 1024 / 1024
  process.on('message', (input: Parameters<Work>[0]) => {
    Promise.try(work, input).then(
      (output) => process.send?.({ output: output as Output, memoryMb: memoryMb() } satisfies Answered<Output>),
      (error: unknown) =>
        process.send?.({ failed: error instanceof Error ? error.name : 'failed', memoryMb: memoryMb() } satisfies Answered<Output>),
    )
  })
  // It does not outlive the process that it works for, and has no more memory than it may: a thread looks, as the work itself may not give way.
  process.once('disconnect', () => process.exit())
  new Worker(new URL('./memory-guard.ts', import.meta.url), {
    workerData: { maxMemoryMb: Number(process.argv[2]), parent: process.ppid },
  }).unref()
}
