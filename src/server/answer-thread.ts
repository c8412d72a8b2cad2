import { parentPort, type Transferable } from 'node:worker_threads'
import type { Answered, Asked } from './thread.ts'

/**
 * The other side of `keepThread`: does what is asked, in the order in which it comes. What goes wrong is told by its name alone: a message may
 * have a patient's in it.
 */
export function answerThread<Work extends (input: never) => unknown>(
  work: Work,
  /** What is handed over rather than copied. */
  moved: (output: Awaited<ReturnType<Work>>) => Transferable[] = () => [],
): void {
  type Output = Awaited<ReturnType<Work>>
  const tell = (answer: Answered<Output>, transfer: Transferable[] = []) => parentPort?.postMessage(answer, transfer)
  const answer = async ({ id, input }: Asked<Parameters<Work>[0]>) => {
    try {
      const output = (await work(input)) as Output
      tell({ id, output }, moved(output))
    } catch (error) {
      tell({ id, failed: error instanceof Error ? error.name : 'failed' })
    }
  }
  parentPort?.on('message', (asked: Asked<Parameters<Work>[0]>) => void answer(asked))
}
