import zlib from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { repeated, spreadsheet } from '../bench/hostile/bytes.ts'
import { hookPassword, useInbox } from './messages/inbox.ts'
import { webhookKey } from './server.ts'

/** A few of the cases of `npm run bench -- hostile`, without measurements. */
describe('files and request bodies designed to exhaust the server', () => {
  const server = useInbox()
  let cookie: string
  let adminCookie: string
  beforeAll(async () => {
    cookie = await server.signIn('sales_rep')
    adminCookie = await server.signIn('admin')
  })

  const post = async (path: string, headers: Record<string, string>, body: Buffer<ArrayBuffer>) => {
    const response = await server.request(path, { method: 'POST', headers, body })
    return [response.status, ((await response.json()) as { code?: string }).code]
  }
  const table = (name: string, body: Buffer<ArrayBuffer>) =>
    post(`/api/imports?name=${name}`, { cookie, 'content-type': 'application/octet-stream' }, body)
  const hook = (body: Buffer<ArrayBuffer>) =>
    post(
      '/api/hooks/postmark/inbound',
      { authorization: `Basic ${Buffer.from(`postmark:${hookPassword}`).toString('base64')}`, 'content-type': 'application/json' },
      body,
    )
  const lead = (headers: Record<string, string>, body: Buffer<ArrayBuffer>) =>
    post(`/api/leads/${webhookKey}`, { 'content-type': 'application/json', ...headers }, body)
  const mail = (given: object) => Buffer.from(JSON.stringify({ MessageID: crypto.randomUUID(), From: 'ana@elsewhere.example', ...given }))

  it.each<[string, () => Promise<unknown[]>, unknown[]]>([
    [
      'a spreadsheet of 1,000,000 nested elements',
      async () => table('a.xlsx', await spreadsheet({ 'xl/worksheets/sheet1.xml': { text: '<a>', times: 1_000_000 } })),
      [422, 'TOO_COMPLEX'],
    ],
    ['a CSV file with a field of 20 MB', () => table('a.csv', repeated('a', 20_000_000)), [422, 'ROW_TOO_LONG']],
    ['a CSV file with NUL characters', () => table('a.csv', Buffer.from('a,b\n\0,c')), [422, 'NOT_CSV']],
    [
      'an email with 200,000 headers',
      () => hook(mail({ Headers: Array.from({ length: 200_000 }, () => ({ Name: '', Value: '' })) })),
      [200, undefined],
    ],
    ['an email nested 1,000,000 levels deep', () => hook(Buffer.from(`{"a":${'['.repeat(1_000_000)}`)), [400, 'INVALID_JSON']],
    [
      'an email with 20,000 attachments',
      () => hook(mail({ Attachments: Array.from({ length: 20_000 }, () => ({ Name: 'a.txt', Content: 'YQ==' })) })),
      [200, undefined],
    ],
    ['an email of 10 MB of line breaks', () => hook(mail({ TextBody: `x${'\r'.repeat(10_000_000)}x` })), [200, undefined]],
    [
      'a lead of 60 KB that unpacks to 60 MB',
      () => lead({ 'content-encoding': 'gzip' }, zlib.gzipSync(Buffer.alloc(60_000_000))),
      [413, 'BODY_TOO_LARGE'],
    ],
    [
      'a lead nested 10,000 levels deep',
      () => lead({}, Buffer.from(`${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`)),
      [400, 'INVALID_BODY'],
    ],
    [
      'a request nested 120,000 levels deep',
      () =>
        post(
          '/api/tags',
          { cookie: adminCookie, 'content-type': 'application/json' },
          Buffer.from(`{"name":${'['.repeat(120_000)}${']'.repeat(120_000)}}`),
        ),
      [422, 'INVALID_INPUT'],
    ],
  ])('rejects or accepts %s and responds to the next request', async (_title, send, expected) => {
    expect(await send()).toEqual(expected)
    expect((await server.request('/health/live')).status).toBe(200)
  })

  it('responds to a concurrent request before it has read a hostile spreadsheet', async () => {
    const file = await spreadsheet({ 'xl/worksheets/sheet1.xml': { text: '<a/>', times: 500_000 } })
    const order: string[] = []
    const hostile = table('a.xlsx', file).then(([status]) => order.push(`spreadsheet ${String(status)}`))
    await server.request('/health/live').then(({ status }) => order.push(`request ${status}`))
    await hostile
    expect(order).toEqual(['request 200', 'spreadsheet 422'])
  })
})
