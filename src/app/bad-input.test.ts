import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { calls, encode } from '../../test/access/calls.ts'
import { databaseFingerprint } from '../../test/database-fingerprint.ts'
import { insertOneOfEach, type OneOfEach } from '../../test/factories.ts'
import { openConnections, type PlainRequest } from '../../test/network/open-connections.ts'
import { sendRaw, rawRequest } from '../../test/network/raw-http.ts'
import { useServer } from '../../test/server.ts'
import { type Access, permissions } from '../kernel/access/policy.ts'
import { encodeCursor } from '../shared/page-lists.ts'

type Refusal = { code?: unknown; data?: { fields?: Record<string, string> } }
type Property = {
  type?: string
  format?: string
  minimum?: number
  maxLength?: number
  enum?: unknown[]
  const?: unknown
  anyOf?: Property[]
  additionalProperties?: unknown
}

const nul = 'a\u0000b'
const half = 'a\ud800b'
const longText = 'x'.repeat(200_000) // within the limit of a body, beyond that of every field
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** How the messages of a schema begin that no one has put into words. */
const rawMessage =
  /^(Invalid (?!verification code)|Too (small|big)|Expected|Required|Unrecognized|String must|Number must|Array must)|NaN|undefined|regex|>=|<=/

/** The kinds of value that a field takes, from the contract. */
function kindsOf(property: Property): { types: Set<string>; formats: Set<string>; isChoice: boolean; below: number } {
  const all = [property, ...(property.anyOf ?? [])]
  return {
    types: new Set(all.flatMap(({ type }) => type ?? [])),
    formats: new Set(all.flatMap(({ format }) => format ?? [])),
    isChoice: all.some(({ enum: choices }) => choices !== undefined),
    /** Below it, what counts days before something; below zero, everything else. */
    below: Math.min(0, ...all.map(({ minimum }) => minimum ?? 0)) - 1,
  }
}

/** Longer than a field takes, by one character where the contract says how long that is. */
const overlong = (property: Property): string => {
  const limits = [property, ...(property.anyOf ?? [])].flatMap(({ maxLength }) => maxLength ?? [])
  return limits.length > 0 ? 'x'.repeat(Math.max(...limits) + 1) : longText
}

/** An object that is ignored, so that only its size matters. */
const takesAnything = (property: Property): boolean =>
  [property, ...(property.anyOf ?? [])].some(({ additionalProperties: of }) => JSON.stringify(of) === '{}')

/** Values that a field of a JSON body must refuse. */
function wrongJson(property: Property): unknown[] {
  const { types, formats, isChoice, below } = kindsOf(property)
  const wrong: unknown[] = [deepArray]
  if (!types.has('string')) wrong.push('text', '1')
  else wrong.push(nul, half, overlong(property))
  if (types.has('integer')) wrong.push(below, 1.5, 1e300, Number.MAX_SAFE_INTEGER + 2)
  // Numbers with a fraction are dollars and percents, to the hundredth.
  else if (types.has('number')) wrong.push(below, 1.005, 1e300, Number.MAX_SAFE_INTEGER + 2)
  else wrong.push(12, 1e300)
  if (!types.has('boolean')) wrong.push(true)
  if (!types.has('object')) wrong.push({}, { $ne: null })
  else if (takesAnything(property)) wrong.push({ a: longText })
  else wrong.push({ [nul]: 'x' }, { a: half }, { a: { b: 'c' } }, { a: longText })
  if (!types.has('null')) wrong.push(null)
  if (isChoice) wrong.push('something else', '')
  if (formats.has('uuid')) wrong.push('1', 'not-a-uuid', '00000000-0000-0000-0000-00000000000g')
  if (formats.has('date')) wrong.push('0000-01-01', '99999-01-01', '2026-02-30', '2026-13-01', '20261121', '1899-12-31')
  if (formats.has('date-time')) wrong.push('0000-01-01T00:00:00Z', '99999-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-11-21')
  return wrong
}
const deepArray = JSON.parse(deep(50)) as unknown

/** Values that a parameter of an address must refuse; there everything is text. */
function wrongText(property: Property): string[] {
  const { types, formats, isChoice } = kindsOf(property)
  const isNumber = types.has('number') || types.has('integer')
  const wrong = ['x'.repeat(5_000), nul]
  if (isNumber) wrong.push('x', '-1', '1.5', '1e300', 'NaN', 'Infinity', '1,000')
  if (isChoice) wrong.push('something else')
  if (formats.has('uuid')) wrong.push('1', 'not-a-uuid', "' or true --")
  return wrong
}

describe('bad input: 4xx naming the field, never a 5xx, and no write (spec 2)', () => {
  const server = useServer()
  let cookie: string
  let providerCookie: string
  let made: OneOfEach
  beforeAll(async () => {
    // The first to sign in is the author of the note.
    await server.signIn('admin')
    await server.signIn('provider')
    made = await insertOneOfEach(server)
  })
  // New sessions, because some calls want an identity that was confirmed minutes ago.
  beforeEach(async () => {
    cookie = await server.newSession('admin@clinic.example')
    providerCookie = await server.newSession('provider@clinic.example')
  })

  const connections = openConnections(8)
  afterAll(() => connections.close())

  type Expected = { status?: number; code?: string; field?: string }
  /** Raw bytes have a connection of their own. */
  type Attempt = Expected & { what: string } & ({ bytes: string | Uint8Array } | { request: PlainRequest })

  /** Asks, and says what is wrong with how it was refused; null when it was refused well. */
  const complaint = async (attempt: Attempt): Promise<string | null> => {
    const { what, status, code, field } = attempt
    const answer = 'bytes' in attempt ? await sendRaw(server.url, attempt.bytes) : await connections.send(server.url, attempt.request)
    const refusal = `${what.slice(0, 120)} => ${answer.status} ${answer.body.slice(0, 300)}`
    if (!(answer.status >= 400 && answer.status < 500)) return `${refusal}: not a 4xx`
    if (status && answer.status !== status) return `${refusal}: not ${status}`
    let body: Refusal
    try {
      body = JSON.parse(answer.body) as Refusal
    } catch {
      return `${refusal}: not JSON`
    }
    if (typeof body.code !== 'string' || !/^[A-Z_]+$/.test(body.code)) return `${refusal}: no stable code`
    if (code && body.code !== code) return `${refusal}: the code is not ${code}`
    const fields = Object.keys(body.data?.fields ?? {})
    const raw = Object.values(body.data?.fields ?? {}).find((message) => rawMessage.test(message))
    if (raw) return `${refusal}: says ${raw}`
    if (field && !fields.some((name) => name === field || name.startsWith(`${field}.`))) return `${refusal}: does not name ${field}`
    return null
  }

  /** The attempts at each call, made when it is their turn: all at once would take a gigabyte. */
  function* forEach(of: typeof calls, attemptsAt: (call: (typeof calls)[number]) => Attempt[]): Generator<Attempt> {
    for (const call of of) yield* attemptsAt(call)
  }

  /** Sends all attempts, eight at a time; none may write anything. Returns how many it sent. */
  const allRefused = async (attempts: Attempt[] | Generator<Attempt>): Promise<number> => {
    const before = await databaseFingerprint(server)
    const complaints: string[] = []
    const waiting = attempts[Symbol.iterator]()
    let asked = 0
    const ask = async () => {
      for (const attempt of waiting) {
        asked++
        const problem = await complaint(attempt)
        if (problem) complaints.push(problem)
      }
    }
    await Promise.all(Array.from({ length: 8 }, ask))
    expect(asked).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    expect(await databaseFingerprint(server)).toEqual(before)
    return asked
  }

  /** Headers of someone who may make the call: an administrator, or a provider where those may not. */
  const headers = (call?: (typeof calls)[number]) => {
    const access: Access = call ? permissions[call.name] : 'public'
    return { cookie: typeof access === 'string' || access.includes('admin') ? cookie : providerCookie, 'content-type': 'application/json' }
  }
  const withInput = calls.filter((call) => call.inputSchema)
  const propertiesOf = (call: (typeof calls)[number]) => {
    const schema = z.toJSONSchema(call.inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' })
    return Object.entries((schema.properties ?? {}) as Record<string, Property>)
  }
  const inPath = (call: (typeof calls)[number], name: string) => call.path.includes(`{${name}}`)
  const sendsJson = (call: (typeof calls)[number]) =>
    call.method !== 'GET' && Object.keys(call.validInput(made)).some((name) => !inPath(call, name))

  it('refuses wrong types, NUL, lone surrogates, and overlong, out-of-range and impossible values in each field', async () => {
    const attempts = forEach(withInput, (call) =>
      propertiesOf(call).flatMap(([name, property]) => {
        const isText = call.method === 'GET' || inPath(call, name)
        const wrong = isText ? wrongText(property) : wrongJson(property)
        // A password that is not the right one is refused without saying what was wrong with it.
        const field = ['currentPassword', 'password'].includes(name) && call.name !== 'auth.signUp' ? undefined : name
        return wrong.map((value): Attempt => {
          const { path, body } = encode(call, { ...call.validInput(made), [name]: value })
          return {
            what: `${call.name} ${name}=${JSON.stringify(value).slice(0, 120)}`,
            request: { method: call.method, path, headers: headers(call), body },
            ...(field ? { field, status: 422 } : {}),
          }
        })
      }),
    )
    expect(await allRefused(attempts)).toBeGreaterThan(1_000)
  })

  it('names each missing, empty or overlong field in a plain sentence', async () => {
    const raw: string[] = []
    for (const call of withInput) {
      const valid = call.validInput(made)
      const nothing = await (call.inputSchema as z.ZodType).safeParseAsync({})
      const wrong = propertiesOf(call).flatMap(([name]) =>
        [undefined, null, '', [], [''], [{}], {}, 'x', longText].map((value) => ({ ...valid, [name]: value })),
      )
      const results = [nothing, ...(await Promise.all(wrong.map((input) => (call.inputSchema as z.ZodType).safeParseAsync(input))))]
      for (const { message, path } of results.flatMap(({ error }) => error?.issues ?? []))
        if (rawMessage.test(message)) raw.push(`${call.name} ${path.join('.')}: ${message}`)
    }
    expect([...new Set(raw)]).toEqual([])
  })

  it.each([
    ['tasks.create', 'title', 'Title is required'],
    ['tasks.create', 'dueDate', 'Due date is required'],
    ['tasks.create', 'assigneeIds', 'At least one assignee is required'],
    ['contacts.create', 'firstName', 'First name is required'],
    ['auth.signIn', 'email', 'Please enter a valid email address'],
    ['auth.signIn', 'password', 'Password is required'],
    ['auth.signUp', 'lastName', 'Last name is required'],
    ['quotes.create', 'instalments', 'Instalments are required'],
    ['quotes.create', 'idempotencyKey', 'Idempotency key is required'],
  ])('%s without %s says what spec 5 says', async (name, field, message) => {
    const call = calls.find((one) => one.name === name)!
    const { [field]: _, ...without } = call.validInput(made)
    const { path, body } = encode(call, without)
    const answer = await sendRaw(server.url, rawRequest(call.method, path, headers(call), body))
    expect([answer.status, (JSON.parse(answer.body) as Refusal).data?.fields?.[field]]).toEqual([422, message])
  })

  it('refuses an unknown field in each call, whatever its name', async () => {
    const names = [
      'unknown',
      'role',
      'status',
      'practice',
      'practiceId',
      'createdBy',
      'ownerId',
      'userId',
      'isAdmin',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      '__proto__',
    ]
    const attempts = forEach(withInput, (call) => {
      const own = new Set(propertiesOf(call).map(([name]) => name))
      return names.flatMap((name): Attempt[] => {
        if (own.has(name)) return []
        const known = encode(call, call.validInput(made))
        const expected = { what: `${call.name} ${name}`, field: name === '__proto__' ? 'body' : name, status: 422 }
        if (call.method === 'GET') {
          const path = `${known.path}${known.path.includes('?') ? '&' : '?'}${name}=x`
          return [{ ...expected, request: { method: 'GET', path, headers: headers(call), body: null } }]
        }
        const body = (known.body ?? '{"other":1}').replace(/\}$/, `,"${name}":{"admin":true}}`)
        return [{ ...expected, request: { method: call.method, path: known.path, headers: headers(call), body } }]
      })
    })
    await allRefused(attempts)
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
  })

  it('refuses malformed JSON, another content type, a non-object, 10,000 levels and 1 MB in each call with a body', async () => {
    const attempts = forEach(withInput.filter(sendsJson), (call) => {
      const { path, body } = encode(call, call.validInput(made))
      const valid = body ?? ''
      const attempt = (what: string, sent: string, expected: Expected = {}, contentType = 'application/json'): Attempt => ({
        what: `${call.name} ${what}`,
        request: { method: call.method, path, headers: { ...headers(call), 'content-type': contentType }, body: sent },
        ...expected,
      })
      const malformed = ['{', valid.slice(0, -1), `${valid}}`, "{'a':1}", '{"a":NaN}', '{"a":"\u0001"}', '\ufeff{', 'undefined']
      const other: [string, string][] = [
        ['text/plain', valid],
        ['application/xml', '<a/>'],
        ['application/octet-stream', valid],
        ['application/x-www-form-urlencoded', 'name=x'],
        ['multipart/form-data; boundary=x', '--x--'],
        ['', valid],
        ['application/json; charset=iso-8859-1', valid],
        ['Application/JSON;Charset="UTF-16"', valid],
      ]
      return [
        ...malformed.map((sent) => attempt(sent, sent, { status: 400, code: 'BAD_REQUEST' })),
        ...other.map(([type, sent]) => attempt(type, sent, { status: 415, code: 'UNSUPPORTED_CONTENT_TYPE' }, type)),
        ...['null', '[]', '"x"', '12', 'true', '[[]]'].map((sent) => attempt(sent, sent, { status: 422 })),
        attempt('deep unknown field', valid.replace(/\}$/, `,"unknown":${deep(10_000)}}`), { status: 422, field: 'body' }),
        attempt('deep body', deep(10_000), { status: 422 }),
        // Refused before it has arrived, so its connection is closed.
        {
          what: `${call.name} 1 MB string`,
          bytes: rawRequest(call.method, path, headers(call), valid.replace(/\}$/, `,"unknown":"${'x'.repeat(1_000_000)}"}`)),
          status: 413,
          code: 'BODY_TOO_LARGE',
        },
      ]
    })
    await allRefused(attempts)
  })

  it.each(['APPLICATION/JSON', 'Application/Json; Charset="UTF-8"', 'application/json;charset=utf8'])(
    'accepts JSON as %s',
    async (type) => {
      const body = JSON.stringify({ name: `Tag ${type}` })
      const answer = await server.request('/api/tags', { method: 'POST', headers: { cookie, 'content-type': type }, body })
      expect([answer.status, ((await answer.json()) as { name: string }).name]).toEqual([200, `Tag ${type}`])
    },
  )

  it('refuses 100,000 levels, 20,001 values or a 256 KiB field in each call with a body, and names at most 100 fields', async () => {
    const key = (call: (typeof calls)[number]) => ({ ...headers(call), 'idempotency-key': crypto.randomUUID() })
    const attempts = forEach(withInput.filter(sendsJson), (call) => {
      const { path } = encode(call, call.validInput(made))
      const attempt = (what: string, sent: string, expected: Expected): Attempt => ({
        what: `${call.name} ${what}`,
        request: { method: call.method, path, headers: call.method === 'POST' ? key(call) : headers(call), body: sent },
        ...expected,
      })
      return [
        attempt('deep lists', `{"a":${deep(100_000)}}`, { status: 422, field: 'body' }),
        attempt('deep objects', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`, { status: 422, field: 'body' }),
        attempt('values', `{"a":[${'1,'.repeat(20_001)}1]}`, { status: 422, field: 'body' }),
        attempt('quotes', `{"a":"${'\\\\\\"'.repeat(50_000)}"}`, { status: 422 }),
      ]
    })
    await allRefused(attempts)
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]))
    const answer = await server.send('POST', '/api/tags', unknown, cookie)
    const { data } = (await answer.json()) as { data: { fields: object } }
    expect([answer.status, Object.keys(data.fields).length]).toEqual([422, 100])
  })

  it('refuses page 0, a page size of a billion and a page beyond the end, naming the field', async () => {
    const refused = (query: string, field: string): Attempt => ({
      what: query,
      bytes: rawRequest('GET', `/api/contacts?${query}`, headers()),
      status: 422,
      field,
    })
    await allRefused([
      refused('limit=1000000000', 'limit'),
      refused('limit=0', 'limit'),
      refused('limit=201', 'limit'),
      refused('limit=', 'limit'),
      refused('page=0', 'page'),
      refused('page=-1', 'page'),
      refused('page=1000000000', 'page'),
      refused('page=99999999999999999999', 'page'),
      refused('sort=id;drop', 'sort'),
      refused('page=1&page=2', 'page'),
      refused('search=a&search=b', 'search'),
      refused('tagId=all&tagId=all', 'tagId'),
      refused('search%5Ba%5D=b', 'search'),
      refused('__proto__%5Bx%5D=1', 'body'),
    ])
    const beyond = await server.send('GET', '/api/contacts?page=1000000&limit=200&search=ana&sort=name', undefined, cookie)
    expect(await beyond.json()).toMatchObject({ data: [], total: 2 })
    const cursor = async (value: string) =>
      server.send('GET', `/api/contacts/${made.contactId}/interactions?cursor=${value}`, undefined, cookie)
    for (const value of [
      'x',
      '2026-99-99T99:99:99.999Z_00000000-0000-0000-0000-000000000000',
      encodeCursor('2026-01-01T00:00:00.000Z'),
      encodeCursor({ at: '2026-99-99T99:99:99.999Z', id: randomUUID() }),
      encodeCursor({ at: '2026-01-01T00:00:00.000Z', id: '-'.repeat(36) }),
      encodeCursor({ at: '2026-01-01T00:00:00.000Z', id: randomUUID(), more: 1 }),
      '',
    ]) {
      const answer = await cursor(value)
      expect([value, answer.status, await answer.json()]).toMatchObject([value, 422, { data: { fields: { cursor: expect.any(String) } } }])
    }
  })

  it('asks for an object when a call has no body', async () => {
    const response = await server.send('POST', '/api/tags', undefined, cookie)
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { code: 'INVALID_INPUT', data: { fields: { body: expect.any(String) } } },
    ])
  })

  it('refuses broken percent-encoding, //, *, backslashes and overlong paths', async () => {
    const get = (target: string, expected: Expected = {}): Attempt => ({
      what: target,
      bytes: rawRequest('GET', target, headers()),
      ...expected,
    })
    await allRefused([
      get('/api/contacts?search=%', { status: 400, code: 'BAD_REQUEST' }),
      get('/api/contacts?search=%E0%A4%A', { status: 400, code: 'BAD_REQUEST' }),
      get('/api/contacts?search=%ED%A0%80', { status: 400, code: 'BAD_REQUEST' }), // half a surrogate pair
      get('/api/contacts?%=1', { status: 400, code: 'BAD_REQUEST' }),
      get('/api/contacts/by-stage?stage=%E0%A4%A', { status: 400, code: 'BAD_REQUEST' }),
      get('/api/contacts/by-email?email=%', { status: 400, code: 'BAD_REQUEST' }),
      get('//', { status: 400, code: 'BAD_REQUEST' }),
      get('//api/contacts', { status: 400, code: 'BAD_REQUEST' }),
      get('///', { status: 400, code: 'BAD_REQUEST' }),
      get('/api//contacts', { status: 404, code: 'NOT_FOUND' }),
      get('/api', { status: 404, code: 'NOT_FOUND' }),
      get('/api/', { status: 404, code: 'NOT_FOUND' }),
      get('*', { status: 400, code: 'BAD_REQUEST' }),
      get('/\\', { status: 400, code: 'BAD_REQUEST' }),
      get('api/contacts', { status: 400, code: 'BAD_REQUEST' }),
      get(`/api/contacts?search=${'x'.repeat(100_000)}`, { status: 431, code: 'HEADERS_TOO_LARGE' }),
      get(`/api/contacts/by-stage?stage=${'x'.repeat(9_000)}`, { status: 422, field: 'stage' }),
      get('/assets/..%2f..%2fpackage.json', { status: 404, code: 'NOT_FOUND' }),
      get('/assets/%00.js', { status: 404, code: 'NOT_FOUND' }),
      get('/assets/%00', { status: 404, code: 'NOT_FOUND' }),
      get('/assets/', { status: 404, code: 'NOT_FOUND' }),
      get('/package.json', { status: 404, code: 'NOT_FOUND' }),
      { what: 'OPTIONS *', bytes: rawRequest('OPTIONS', '*', headers()), status: 400, code: 'BAD_REQUEST' },
    ])
  })

  it('refuses invalid HTTP: negative, repeated or conflicting lengths, unknown methods and incomplete headers', async () => {
    const head = `host: localhost\r\nconnection: close\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\n`
    const post = (headers: string, body = '{"name":"x"}'): Attempt => ({
      what: headers,
      bytes: `POST /api/tags HTTP/1.1\r\n${head}${headers}\r\n\r\n${body}`,
      status: 400,
      code: 'BAD_REQUEST',
    })
    await allRefused([
      post('content-length: -5'),
      post('content-length: 12\r\ncontent-length: 13'),
      post('content-length: 12\r\ntransfer-encoding: chunked'),
      post('content-length: 99999999999999999999999'),
      post('content-length: x'),
      post('transfer-encoding: chunked', 'zz\r\n'),
      post('transfer-encoding: gzip'),
      post('bad header'),
      post('name: a\u0000b'),
      {
        what: 'bytes that are no character',
        bytes: Buffer.from(`POST /api/tags HTTP/1.1\r\n${head}content-length: 12\r\n\r\n{"name":"\u00ff"}`, 'latin1'),
        status: 400,
        code: 'BAD_REQUEST',
      },
      { what: 'garbage', bytes: 'hello\r\n\r\n', status: 400, code: 'BAD_REQUEST' },
      { what: 'TLS', bytes: '\u0016\u0003\u0001\u0002\u0000\u0001', status: 400, code: 'BAD_REQUEST' },
      { what: 'unknown method', bytes: `FOO /api/tags HTTP/1.1\r\n${head}\r\n`, status: 400, code: 'BAD_REQUEST' },
      { what: 'TRACE', bytes: `TRACE /api/tags HTTP/1.1\r\n${head}\r\n`, status: 404, code: 'NOT_FOUND' },
      { what: 'a header of 100 kB', bytes: rawRequest('GET', '/api/tags', { ...headers(), 'x-long': 'x'.repeat(100_000) }), status: 431 },
    ])
  })

  it('refuses a request without a host, and keeps serving after all of these', async () => {
    expect(await sendRaw(server.url, 'GET /api/tags HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatchObject({ status: 400 })
    expect((await server.send('GET', '/health/live')).status).toBe(200)
    expect((await server.send('GET', '/api/tags', undefined, cookie)).status).toBe(200)
  })
})
