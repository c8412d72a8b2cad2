import os from 'node:os'
import { describe, expect, test, vi } from 'vitest'
import type { MisbehavingWorker } from '../../../test/processes/misbehaving-worker.ts'
import { createWorkerPool, maxIdle } from './worker-pool.ts'

const file = new URL('../../../test/processes/misbehaving-worker.ts', import.meta.url)
const limits = { name: 'a test', timeoutMs: 60_000, maxMemoryMb: 160 }
const reasonOf = async (work: Promise<unknown>) => work.then(() => 'answered').catch((error: { reason?: string }) => error.reason)

test('a worker answers requests in order and reports only the name of a thrown error', async () => {
  const work = createWorkerPool<MisbehavingWorker>(file, limits)
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => work({ do: 'answer', text })))
  expect(answers).toEqual(['a', 'b', 'c'])
  await expect(work({ do: 'throw', text: 'Zoe Tremblay' })).rejects.toThrow(/^'a test' failed: RangeError$/)
})

// Their workers do nothing until the deadline, so they wait side by side.
describe.concurrent('when a worker does not end', () => {
  test('a worker past its deadline is terminated, and a new one processes the queue', async () => {
    const work = createWorkerPool<MisbehavingWorker>(file, { ...limits, timeoutMs: 12_000 })
    const endless = reasonOf(work({ do: 'loop' }))
    const queued = work({ do: 'answer', text: 'still here' })
    expect([await endless, await queued]).toEqual(['timeout', 'still here'])
  })

  test('tasks beyond the queue limit are refused immediately', async () => {
    const work = createWorkerPool<MisbehavingWorker>(file, { ...limits, timeoutMs: 12_000, maxWaiting: 1 })
    const answers = (['loop', 'answer', 'answer'] as const).map((what) => reasonOf(work({ do: what })))
    expect(await answers[2]).toBe('busy')
    expect(await Promise.all(answers)).toEqual(['timeout', 'answered', 'busy'])
  })

  test('several workers share the tasks, and a busy one does not delay the others', async () => {
    const work = createWorkerPool<MisbehavingWorker>(file, { ...limits, timeoutMs: 12_000, workers: 2 })
    const order: string[] = []
    await Promise.all([
      reasonOf(work({ do: 'loop' })).then(() => order.push('endless')),
      work({ do: 'answer' }).then(() => order.push('short')),
    ])
    expect(order).toEqual(['short', 'endless'])
  })
})

test('a worker that exceeds its memory limit, inside or outside V8, or exits fails only the current task', async () => {
  const work = createWorkerPool<MisbehavingWorker>(file, limits)
  const results = (['hoard', 'hoardOutside', 'exit'] as const).flatMap((what) => [
    reasonOf(work({ do: what })),
    work({ do: 'answer', text: `after ${what}` }),
  ])
  expect(await Promise.all(results)).toEqual(['ended', 'after hoard', 'ended', 'after hoardOutside', 'ended', 'after exit'])
})

test('a worker is reused unless its memory has grown, so that memory taken by hostile files is released', async () => {
  const work = createWorkerPool<MisbehavingWorker>(file, { ...limits, maxMemoryMb: 600 })
  const first = await work({ do: 'process' })
  expect(await work({ do: 'grow' })).toBe(first)
  const next = await work({ do: 'process' })
  expect(next).not.toBe(first)
  expect(await work({ do: 'process' })).toBe(next)
})

test('a few idle workers are kept across all pools: the most recently used', async () => {
  const pools = Array.from({ length: maxIdle + 1 }, () => createWorkerPool<MisbehavingWorker>(file, limits))
  const before: string[] = []
  for (const work of pools) before.push(await work({ do: 'process' }))
  const after: string[] = []
  for (const work of pools.toReversed()) after.unshift(await work({ do: 'process' }))
  expect(after.map((process, n) => process === before[n])).toEqual([false, ...Array.from({ length: maxIdle }, () => true)])
})

test('a worker has no access to the settings', async () => {
  vi.stubEnv('APP_SECRET', 'not for workers that decode untrusted files')
  expect(await createWorkerPool<MisbehavingWorker>(file, limits)({ do: 'environment' })).not.toContain('APP_SECRET')
})

test('a worker leaves the processors to the server first', async () => {
  const priority = Number(await createWorkerPool<MisbehavingWorker>(file, limits)({ do: 'priority' }))
  expect(priority).toBeGreaterThan(os.getPriority()) // a higher number is a lower priority
})
