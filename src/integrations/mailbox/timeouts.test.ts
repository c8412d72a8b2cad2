import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openGmail } from './gmail/gmail.ts'
import { openNylas } from './nylas/nylas.ts'
import { inTime, patient } from './timeouts.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const half = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":[')
const nylasAt = (apiUri: string) => openNylas({ apiKey: 'key', apiUri, grantId: 'g', timeoutSeconds: 0.3 })
const tokens = { refreshToken: 'r', accessToken: 'a', expiresAt: Date.now() + 3_000_000 }
const gmailAt = (baseUrl: string) =>
  openGmail({ clientId: 'id', clientSecret: 'secret', baseUrl, tokens, onTokens: async () => {}, timeoutSeconds: 0.3 })

test.each([
  ['Nylas', nylasAt],
  ['Gmail', gmailAt],
])('times out a response of %s that starts and never ends', async (_, open) => {
  expect(await open(await serve(half)).folders()).toMatchObject({ ok: false, kind: 'away' })
})

test('a file that starts and never ends fails for its reader', async () => {
  const file = await nylasAt(await serve((response) => response.writeHead(200).write('part'))).attachment('m', 'a')
  if (!file.ok) throw new Error(file.message)
  const reader = file.value.getReader()
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('part')
  await expect(reader.read()).rejects.toThrow('No response in time')
})

test('cancels the provider’s download when the reader stops', async () => {
  let ended: unknown
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1)),
    cancel: (reason) => {
      ended = reason
    },
  })
  const reader = patient(source, 5).getReader()
  await reader.read()
  await reader.cancel('enough')
  expect(ended).toBe('enough')
})

test('passes on results and errors that arrive in time', async () => {
  expect(await inTime(Promise.resolve(1), 5)).toBe(1)
  await expect(inTime(Promise.reject(new Error('broken')), 5)).rejects.toThrow('broken')
})
