/** A worker that misbehaves on request, to test the limits of worker pools. */
import zlib from 'node:zlib'
import { runWorker } from '../../src/kernel/workers/worker-process.ts'

export type MisbehavingWorker = (input: {
  do: 'answer' | 'throw' | 'loop' | 'hoard' | 'hoardOutside' | 'grow' | 'exit' | 'environment' | 'process'
  text?: string
}) => Promise<string>

const hoard: unknown[] = []

runWorker<MisbehavingWorker>(async ({ do: action, text = '' }) => {
  switch (action) {
    case 'answer':
      return text
    case 'throw':
      throw new RangeError(text)
    case 'loop':
      for (;;) zlib.crc32('on and on')
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
    case 'environment':
      return Object.keys(process.env).toSorted().join()
  }
})
