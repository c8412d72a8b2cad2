import { expect, test, vi } from 'vitest'
import { idempotentSend } from './idempotent-send.ts'

const post = (path: string, body: object) => new Request(`http://clinic.example${path}`, { method: 'POST', body: JSON.stringify(body) })
const keyOf = (request: Request) => request.headers.get('idempotency-key')

/** Answers requests with the given responses in turn, and records their keys. */
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

test('repeats a request with a lost answer under the same key, then uses a new one', async () => {
  const { keys, send } = line([new TypeError('lost'), new Response(null, { status: 502 }), new Response('{}'), new Response('{}')])
  const path = '/api/contacts'
  await expect(idempotentSend(post(path, { lastName: 'Ray' }), send)).rejects.toThrow('lost')
  await idempotentSend(post(path, { lastName: 'Ray' }), send)
  await idempotentSend(post(path, { lastName: 'Ray' }), send)
  await idempotentSend(post(path, { lastName: 'Ray' }), send)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect([keys[1], keys[2], keys[3] === keys[0]]).toEqual([keys[0], keys[0], false])
})

test('uses a new key for another body, or after a refusal', async () => {
  const { keys, send } = line([new TypeError('lost'), new Response('{}', { status: 422 }), new Response('{}', { status: 422 })])
  await expect(idempotentSend(post('/api/tasks', { title: 'A' }), send)).rejects.toThrow('lost')
  await idempotentSend(post('/api/tasks', { title: 'B' }), send)
  await idempotentSend(post('/api/tasks', { title: 'B' }), send)
  expect(new Set(keys).size).toBe(3)
})

test('waits for the first request while it is running, and returns its answer', async () => {
  vi.useFakeTimers()
  const running = () => Response.json({ code: 'IDEMPOTENCY_KEY_IN_USE' }, { status: 409, headers: { 'retry-after': '1' } })
  const { keys, send } = line([running(), running(), new Response('done')])
  const answer = idempotentSend(post('/api/tags', { name: 'A' }), send)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await (await answer).text()).toBe('done')
  expect(new Set(keys).size).toBe(1)
  vi.useRealTimers()
})

test('treats the same request after ten minutes as a new one', async () => {
  vi.useFakeTimers()
  const { keys, send } = line([new TypeError('lost'), new Response('{}')])
  await expect(idempotentSend(post('/api/tasks/1/snooze', { minutes: 15 }), send)).rejects.toThrow('lost')
  await vi.advanceTimersByTimeAsync(10 * 60_000 + 1)
  await idempotentSend(post('/api/tasks/1/snooze', { minutes: 15 }), send)
  expect(new Set(keys).size).toBe(2)
  vi.useRealTimers()
})

test('sends no key with reads', async () => {
  const { keys, send } = line([new Response('{}')])
  await idempotentSend(new Request('http://clinic.example/api/contacts'), send)
  expect(keys).toEqual([null])
})
