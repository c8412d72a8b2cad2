import dns from 'node:dns'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { isPublic } from './addresses.ts'
import { post, problemOfUrl } from './client.ts'

const message = { headers: { 'content-type': 'application/json' }, body: '{}' }
const here = { allowsLoopback: true }
const strict = { allowsLoopback: false }

describe('addresses outside the public internet (spec 9)', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
  ])('%s is refused', (address) => expect(isPublic(address)).toBe(false))
  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'])('%s is accepted', (address) =>
    expect(isPublic(address)).toBe(true),
  )

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost/',
    'https://169.254.169.254/latest/meta-data',
    'https://user:secret@example.com/',
    'https://example.com/#part',
    'https://exam\r\nple.com/x',
    'https://ex\tample.com\\@evil.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'example.com',
  ])('%s is refused as typed', (url) => expect(problemOfUrl(url, strict)).not.toBeNull())

  it('the setting allows only this machine, also over http, and not its local network', () => {
    expect(problemOfUrl('http://127.0.0.1:4000/hook', here)).toBeNull()
    expect(problemOfUrl('http://localhost:4000/hook', here)).toBeNull()
    expect(problemOfUrl('http://192.168.1.1/hook', here)).not.toBeNull()
    expect(problemOfUrl('http://example.com/hook', here)).not.toBeNull()
    expect(problemOfUrl('https://hooks.example.com/refyne?of=clinic', strict)).toBeNull()
  })
})

describe('posting to an address typed by a user (spec 9)', () => {
  let url: string
  const asked: string[] = []
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end()
    else if (request.url === '/large') response.writeHead(200).end('x'.repeat(200_000))
    else if (request.url === '/error') response.writeHead(500).end('no')
    else if (request.url === '/slow') response.writeHead(200).write('x')
    else response.writeHead(204).end()
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  afterEach(() => void vi.restoreAllMocks())

  it('succeeds when the receiver accepts it', async () => {
    expect(await post(`${url}/`, message, here)).toEqual({ ok: true, status: 204 })
  })

  it('follows no redirect', async () => {
    expect(await post(`${url}/redirect`, message, here)).toEqual({ ok: false, kind: 'status', status: 302 })
    expect(asked).not.toContain('/elsewhere')
  })

  it('reports errors and timeouts, and stops reading an overlong response', async () => {
    expect(await post(`${url}/error`, message, here)).toEqual({ ok: false, kind: 'status', status: 500 })
    expect(await post(`${url}/large`, message, here)).toEqual({ ok: true, status: 200 })
    expect(await post(`${url}/slow`, message, { ...here, timeoutMs: 200 })).toMatchObject({ ok: false, kind: 'timeout' })
    expect(await post('http://127.0.0.1:1/', message, here)).toMatchObject({ ok: false, kind: 'network' })
  })

  // What a name resolves to is all that is put in its place: no real name resolves to a private address wherever the tests run.
  it('checks every resolved address on connecting, and refuses if one of them is private', async () => {
    const before = asked.length
    const resolvesTo = (...addresses: string[]) =>
      vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, callback: (error: null, found: object[]) => void) => {
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      }) as never)
    for (const addresses of [['127.0.0.1'], ['10.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], []]) {
      const spy = resolvesTo(...addresses)
      expect([addresses, await post('https://rebinding.example.com/', message, strict)]).toEqual([
        addresses,
        { ok: false, kind: 'address', status: null },
      ])
      expect(spy).toHaveBeenCalled()
      spy.mockRestore()
    }
    expect(asked.length).toBe(before)
  })
})
