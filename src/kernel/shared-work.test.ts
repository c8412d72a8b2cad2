import { expect, it } from 'vitest'
import { shareWork } from './shared-work.ts'

it('carries out work once for all who ask while it is under way, by server and key, also if it fails', async () => {
  const share = shareWork<number>()
  const [server, other] = [{}, {}]
  let count = 0
  const gate = Promise.withResolvers<void>()
  const work = async () => {
    count++
    await gate.promise
    return count
  }
  const all = [share(server, 'a', work), share(server, 'a', work), share(server, 'b', work), share(other, 'a', work)]
  gate.resolve()
  await Promise.all(all)
  expect(count).toBe(3)
  await share(server, 'a', work)
  expect(count).toBe(4)
  const fails = async () => Promise.reject(new Error('away'))
  await expect(Promise.all([share(server, 'c', fails), share(server, 'c', work)])).rejects.toThrow('away')
  expect(await share(server, 'c', work)).toBe(5)
})
