/** A worker that misbehaves on request, to test the limits of worker pools. */
import os from 'node:os'
import { runWorker } from '../../src/kernel/workers/worker-process.ts'

export type MisbehavingWorker = (input: {
  do: 'answer' | 'throw' | 'loop' | 'hoard' | 'hoardOutside' | 'grow' | 'exit' | 'environment' | 'priority' | 'process'
  text?: string
}) => Promise<string>

const hoard: unknown[] = []
/** Waiting for it blocks the thread as an endless calculation does, without taking time from the other tests. */
const nothing = new Int32Array(new SharedArrayBuffer(4))

runWorker<MisbehavingWorker>(async ({ do: action, text = '' }) => {
  switch (action) {
    case 'answer':
      return text
    case 'throw':
      throw new RangeError(text)
    case 'loop':
      for (;;) Atomics.wait(nothing, 0, 0)
    case 'hoard':
      for (;;) hoard.push(JSON.parse(`[${'{},'.repeat(3_000_000)}{}]`))
    case 'hoardOutside':
      for (;;) hoard.push(Buffer.alloc(10_000_000, 1))
    case 'grow':
      hoard.push(Buffer.alloc(200_000_000, 1))
      return String(process.pid)
    case 'process':
      return String(process.pid)
    case 'exit':
      return process.exit(1)
    case 'priority':
      return String(os.getPriority())
    case 'environment':
      return Object.keys(process.env).toSorted().join()
  }
})
