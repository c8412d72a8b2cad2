import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { LateQueryClient } from './query-client.ts'

/** Answers with the value at request time, once released. */
function source() {
  let value = 'before'
  const waiting: (() => void)[] = []
  return {
    change: () => (value = 'after'),
    respondToAll: () => waiting.splice(0).forEach((answer) => answer()),
    asked: () => waiting.length,
    ask: () => {
      const now = value
      return new Promise<string>((resolve) => waiting.push(() => resolve(now)))
    },
  }
}

test('refetches when data changes during the first fetch', async () => {
  const client = new LateQueryClient()
  const { change, respondToAll, asked, ask } = source()
  const stop = new QueryObserver(client, { queryKey: ['tasks'], queryFn: ask, staleTime: 30_000 }).subscribe(() => {})
  await until(() => asked() === 1)
  change()
  void client.invalidateQueries({ queryKey: ['tasks'] })
  respondToAll()
  await until(() => asked() === 1)
  respondToAll()
  await until(() => client.getQueryData(['tasks']) === 'after')
  stop()
  client.clear()
})

test('does not refetch an unaffected first answer, and keeps the error of a failed one', async () => {
  const client = new LateQueryClient({ defaultOptions: { queries: { retry: false } } })
  let calls = 0
  const fail = () => (calls++, Promise.reject(new Error('away')))
  const stop = new QueryObserver(client, { queryKey: ['tasks'], queryFn: fail }).subscribe(() => {})
  void client.invalidateQueries({ queryKey: ['other'] })
  void client.invalidateQueries({ queryKey: ['tasks'] })
  await until(() => client.getQueryState(['tasks'])?.status === 'error')
  expect(calls).toBe(1)
  stop()
  client.clear()
})
