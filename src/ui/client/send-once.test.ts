import { expect, test, vi } from 'vitest'
import { sendOnce } from './send-once.ts'

const post = (path: string, body: object) => new Request(`http://clinic.example${path}`, { method: 'POST', body: JSON.stringify(body) })
const keyOf = (request: Request) => request.headers.get('idempotency-key')

/** Sends each request, answers with what is given in turn, and tells the keys that were sent. */
function line(answers: (Response | Error)[]) {
  const keys: (string | null)[] = []
  const send = async (request: Request) => {
    keys.push(keyOf(request))
    const answer = answers.shift()!
    if (answer instanceof Error) throw answer
    return answer
  }
  return { keys, send }
}

test('a request whose answer was lost goes under the same key again, and then under a new one', async () => {
  const { keys, send } = line([new TypeError('lost'), new Response(null, { status: 502 }), new Response('{}'), new Response('{}')])
  const path = '/api/contacts'
  await expect(sendOnce(post(path, { lastName: 'Ray' }), send)).rejects.toThrow('lost')
  await sendOnce(post(path, { lastName: 'Ray' }), send)
  await sendOnce(post(path, { lastName: 'Ray' }), send)
  await sendOnce(post(path, { lastName: 'Ray' }), send)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect([keys[1], keys[2], keys[3] === keys[0]]).toEqual([keys[0], keys[0], false])
})

test('another body is another request, and a refused one may be corrected', async () => {
  const { keys, send } = line([new TypeError('lost'), new Response('{}', { status: 422 }), new Response('{}', { status: 422 })])
  await expect(sendOnce(post('/api/tasks', { title: 'A' }), send)).rejects.toThrow('lost')
  await sendOnce(post('/api/tasks', { title: 'B' }), send)
  await sendOnce(post('/api/tasks', { title: 'B' }), send)
  expect(new Set(keys).size).toBe(3)
})

test('while the first is running it waits, and gets its answer', async () => {
  vi.useFakeTimers()
  const running = () => Response.json({ code: 'IDEMPOTENCY_KEY_IN_USE' }, { status: 409, headers: { 'retry-after': '1' } })
  const { keys, send } = line([running(), running(), new Response('done')])
  const answer = sendOnce(post('/api/tags', { name: 'A' }), send)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await (await answer).text()).toBe('done')
  expect(new Set(keys).size).toBe(1)
  vi.useRealTimers()
})

test('after ten minutes the same request is meant again', async () => {
  vi.useFakeTimers()
  const { keys, send } = line([new TypeError('lost'), new Response('{}')])
  await expect(sendOnce(post('/api/tasks/1/snooze', { minutes: 15 }), send)).rejects.toThrow('lost')
  await vi.advanceTimersByTimeAsync(10 * 60_000 + 1)
  await sendOnce(post('/api/tasks/1/snooze', { minutes: 15 }), send)
  expect(new Set(keys).size).toBe(2)
  vi.useRealTimers()
})

test('what only reads carries no key', async () => {
  const { keys, send } = line([new Response('{}')])
  await sendOnce(new Request('http://clinic.example/api/contacts'), send)
  expect(keys).toEqual([null])
})
