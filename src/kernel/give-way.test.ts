import { expect, it } from 'vitest'
import { givingWay, isCrowded, whileAnswering } from './give-way.ts'

it('background work pauses while many calls are answered, and only then', async () => {
  const order: string[] = []
  const work = (name: string) => givingWay(async () => void order.push(`${name} works`)).then(() => order.push(`${name} goes on`))
  await work('alone')
  expect(isCrowded()).toBe(false)

  const { promise, resolve } = Promise.withResolvers<void>()
  const calls = [1, 2, 3, 4, 5, 6, 7, 8].map(() => whileAnswering(() => promise))
  expect(isCrowded()).toBe(true)
  const slow = givingWay(() => new Promise((done) => setTimeout(done, 20))).then(() => order.push('slow goes on'))
  await new Promise((done) => setTimeout(done, 30))
  order.push('a call is answered')
  resolve()
  await Promise.all([...calls, slow])
  expect(order).toEqual(['alone works', 'alone goes on', 'a call is answered', 'slow goes on'])
})

it('a failed call no longer counts', async () => {
  await expect(whileAnswering(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
