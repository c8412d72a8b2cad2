import { expect, it } from 'vitest'
import { givingWay, isCrowded, pauseAfter, whileAnswering } from './give-way.ts'

it('background work does not pause while few calls are answered', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const calls = Array.from({ length: 7 }, () => whileAnswering(() => promise))
  expect([isCrowded(), pauseAfter(100)]).toEqual([false, 0])
  expect(await givingWay(async () => 'done')).toBe('done')
  resolve()
  await Promise.all(calls)
})

it('a failed call no longer counts', async () => {
  await Promise.allSettled(Array.from({ length: 7 }, () => whileAnswering(() => Promise.reject(new Error('no')))))
  await whileAnswering(async () => expect(isCrowded()).toBe(false))
})

it('background work pauses for half as long as it took, at most a second, while many calls are answered and shortly after', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const calls = Array.from({ length: 8 }, () => whileAnswering(() => promise))
  expect([20, 300, 5_000].map(pauseAfter)).toEqual([10, 150, 1_000])
  resolve()
  await Promise.all(calls)
  expect(isCrowded()).toBe(true)
  expect(await givingWay(async () => 'done')).toBe('done')
})

it('while many calls are answered, one part of background work runs at a time, and a failed one does not stop the next', async () => {
  const calls = Promise.withResolvers<void>()
  const answering = Array.from({ length: 8 }, () => whileAnswering(() => calls.promise))
  const begun: string[] = []
  const first = Promise.withResolvers<void>()
  const parts = [
    givingWay(() => {
      begun.push('first')
      return first.promise
    }),
    givingWay(async () => begun.push('second')),
  ]
  await new Promise(setImmediate)
  expect(begun).toEqual(['first'])
  first.reject(new Error('no'))
  expect((await Promise.allSettled(parts)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(begun).toEqual(['first', 'second'])
  calls.resolve()
  await Promise.all(answering)
})

it('a part that hangs no longer holds the others up once the calls are answered', async () => {
  const calls = Promise.withResolvers<void>()
  const answering = Array.from({ length: 8 }, () => whileAnswering(() => calls.promise))
  const hanging = Promise.withResolvers<void>()
  const first = givingWay(() => hanging.promise)
  const second = givingWay(async () => 'done')
  calls.resolve()
  await Promise.all(answering)
  expect(await second).toBe('done')
  hanging.resolve()
  await first
})
