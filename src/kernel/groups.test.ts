import { describe, expect, it } from 'vitest'
import { inGroups } from './groups.ts'

describe('calls in groups', () => {
  it('run together while an earlier group runs, and each gets its own result', async () => {
    const groups: number[][] = []
    const begun = Promise.withResolvers<void>()
    const doubled = inGroups<number, number>(async (items) => {
      groups.push([...items])
      begun.resolve()
      await new Promise(setImmediate)
      return items.map((item) => 2 * item)
    })
    const first = doubled(1)
    await begun.promise
    expect(await Promise.all([first, doubled(2), doubled(3)])).toEqual([2, 4, 6])
    expect(await doubled(4)).toBe(8)
    expect(groups).toEqual([[1], [2, 3], [4]])
  })

  it('are tried one by one if a group fails, so that one failure is not everyone’s', async () => {
    const work = inGroups<number, number>(async (items) => {
      await new Promise(setImmediate)
      if (items.includes(13)) throw new Error('unlucky')
      return items.map((item) => -item)
    })
    const results = await Promise.allSettled([1, 2, 13, 4].map(work))
    expect(results.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message))).toEqual([-1, -2, 'unlucky', -4])
  })

  it('are not tried one by one while the database is away', async () => {
    let tries = 0
    const work = inGroups<number, number>(async () => {
      tries++
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    })
    const results = await Promise.allSettled([1, 2, 3].map(work))
    expect([tries, results.map(({ status }) => status)]).toEqual([1, ['rejected', 'rejected', 'rejected']])
  })

  it('are at most a hundred at a time', async () => {
    const sizes: number[] = []
    const work = inGroups<number, number>(async (items) => {
      sizes.push(items.length)
      await new Promise(setImmediate)
      return items
    })
    await Promise.all(Array.from({ length: 250 }, (_, i) => work(i)))
    expect(sizes).toEqual([100, 100, 50])
  })
})
