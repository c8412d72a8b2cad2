import { expect, test, vi } from 'vitest'
import type { MisbehavingWorker } from '../../../test/processes/misbehaving-worker.ts'
import { createWorkerPool } from './worker-pool.ts'

const file = new URL('../../../test/processes/misbehaving-worker.ts', import.meta.url)
const limits = { name: 'a test', timeoutMs: 60_000, maxMemoryMb: 160 }
const reasonOf = async (work: Promise<unknown>) => work.then(() => 'answered').catch((error: { reason?: string }) => error.reason)

test('a worker answers in the order of the questions, and says by its name alone what was thrown', async () => {
  const work = createWorkerPool<MisbehavingWorker>(file, limits)
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => work({ do: 'answer', text })))
  expect(answers).toEqual(['a', 'b', 'c'])
  await expect(work({ do: 'throw', text: 'Zoe Tremblay' })).rejects.toThrow(/^'a test' failed: RangeError$/)
})

test('a worker past its deadline is ended; what waits behind it is done by the next one', async () => {
  const work = createWorkerPool<MisbehavingWorker>(file, { ...limits, timeoutMs: 2500 })
  const loop = reasonOf(work({ do: 'loop' }))
  const behind = work({ do: 'answer', text: 'still here' })
  expect([await loop, await behind]).toEqual(['timeout', 'still here'])
})

test('a worker that takes too much memory, in V8 or outside of it, or ends by itself, is refused that piece of work alone', async () => {
  const work = createWorkerPool<MisbehavingWorker>(file, limits)
  const asked = (['hoard', 'hoardOutside', 'exit'] as const).flatMap((what) => [
    reasonOf(work({ do: what })),
    work({ do: 'answer', text: `after ${what}` }),
  ])
  expect(await Promise.all(asked)).toEqual(['ended', 'after hoard', 'ended', 'after hoardOutside', 'ended', 'after exit'])
})

test('a worker is kept for the next piece of work unless it has grown: memory that hostile files took is given back', async () => {
  const work = createWorkerPool<MisbehavingWorker>(file, { ...limits, maxMemoryMb: 600 })
  const first = await work({ do: 'process' })
  expect(await work({ do: 'grow' })).toBe(first)
  const next = await work({ do: 'process' })
  expect(next).not.toBe(first)
  expect(await work({ do: 'process' })).toBe(next)
})

test('two idle workers are kept, of all pools together: those that were used last', async () => {
  const pools = Array.from({ length: 3 }, () => createWorkerPool<MisbehavingWorker>(file, limits))
  const before: string[] = []
  for (const work of pools) before.push(await work({ do: 'process' }))
  const after: string[] = []
  for (const work of pools.toReversed()) after.unshift(await work({ do: 'process' }))
  expect(after.map((process, n) => process === before[n])).toEqual([false, true, true])
})

test('what is more than may wait is refused at once', async () => {
  const work = createWorkerPool<MisbehavingWorker>(file, { ...limits, timeoutMs: 2500, maxWaiting: 1 })
  const answers = (['loop', 'answer', 'answer'] as const).map((what) => reasonOf(work({ do: what })))
  expect(await answers[2]).toBe('busy')
  expect(await Promise.all(answers)).toEqual(['timeout', 'answered', 'busy'])
})

test('several workers share the work: a busy one holds up no other', async () => {
  const work = createWorkerPool<MisbehavingWorker>(file, { ...limits, timeoutMs: 5000, workers: 2 })
  const order: string[] = []
  await Promise.all([
    reasonOf(work({ do: 'loop' })).then(() => order.push('the endless one')),
    work({ do: 'answer' }).then(() => order.push('the short one')),
  ])
  expect(order).toEqual(['the short one', 'the endless one'])
})

test('a worker knows none of our settings', async () => {
  vi.stubEnv('APP_SECRET', 'not for those who decode what unknown senders send')
  expect(await createWorkerPool<MisbehavingWorker>(file, limits)({ do: 'environment' })).not.toContain('APP_SECRET')
})
