/**
 * QuickBooks Online's accounting API, version 3, limited to what the clinic uses. A refusal or an outage is a value, never thrown. Calls
 * per company are limited: at most 8 at once, and none before the time that a 429 names.
 */
import { setTimeout as after } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import { z } from 'zod'
import { observeCall } from '../calls.ts'
import { failure, failureOf, isPassing, noAnswer, outcomeOf, type Result } from './failure.ts'
import { parseJson } from './json.ts'
import { type Page, maxQueryResults, selectFrom } from './query.ts'
import { companyInfo, customer, deposit, preferences, type Queried, queried, receipt } from './shapes.ts'

export type QuickBooksOptions = {
  /** Where the API is, without `/v3`. */
  baseUrl: string
  /** The company, which Intuit calls a realm. */
  realmId: string
  /** An access token; after a refused one, a newer one. */
  accessToken: (refused?: string) => Promise<AccessToken>
  /** For one attempt, including the response. 30 by default. */
  timeoutSeconds?: number
  /** The number of retries after a temporary failure. 2 by default. */
  retries?: number
}

/** `missing`: the connection must be renewed, or the token source is unavailable. */
export type AccessToken = { token: string } | { missing: 'reconnect' | 'away' }

/** Intuit's version of the shapes. */
const minorVersion = '75'
const maxParallel = 8
/** Milliseconds: before the second attempt; twice as long before each further one, a little more or less by chance. */
const firstPause = 200
/** Milliseconds: the maximum wait for a rate limit while a caller is waiting. */
const maxPauseMs = 5_000

interface Company {
  limit: LimitFunction
  /** No call before this moment, in milliseconds since 1970. */
  notBefore: number
}
const companies = new Map<string, Company>()

function companyOf(key: string): Company {
  const found = companies.get(key)
  if (found) return found
  const made = { limit: pLimit(maxParallel), notBefore: 0 }
  companies.set(key, made)
  return made
}

type Call = { method: 'GET' | 'POST'; path: string; query?: Record<string, string>; body?: unknown }

export type QuickBooks = ReturnType<typeof createQuickBooks>

export function createQuickBooks({ baseUrl, realmId, accessToken, timeoutSeconds = 30, retries = 2 }: QuickBooksOptions) {
  const company = companyOf(`${baseUrl} ${realmId}`)
  const root = `${baseUrl.replace(/\/+$/, '')}/v3/company/${encodeURIComponent(realmId)}`

  const once = <Shape extends z.ZodType>(call: Call, shape: Shape, token: string): Promise<Result<z.output<Shape>>> =>
    observeCall({ vendor: 'quickbooks', outcomeOf }, () => ask(call, shape, token))

  async function ask<Shape extends z.ZodType>(call: Call, shape: Shape, token: string): Promise<Result<z.output<Shape>>> {
    const url = new URL(`${root}/${call.path}`)
    for (const [name, value] of Object.entries({ ...call.query, minorversion: minorVersion })) url.searchParams.set(name, value)
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(call.body ? { 'content-type': 'application/json' } : {}),
    }
    let status = 0
    let text: string
    try {
      const answer = await fetch(url, {
        method: call.method,
        headers,
        body: call.body ? JSON.stringify(call.body) : null,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutSeconds * 1_000),
      })
      status = answer.status
      if (status === 429) company.notBefore = Date.now() + pauseAsked(answer.headers.get('retry-after'))
      text = await answer.text()
    } catch (error) {
      return noAnswer(error)
    }
    const body = parseJson(text)
    if (status !== 200) return failureOf(status, body)
    const parsed = shape.safeParse(body)
    // It was a success, so what was sent was most likely kept.
    return parsed.success ? { ok: true, value: parsed.data } : failure('unreadable', 'QuickBooks sent an unreadable response', true)
  }

  /** Uses the current token, and retries once with a newer one when it is refused. */
  async function authorised<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<Result<z.output<Shape>>> {
    const first = await accessToken()
    if ('missing' in first) return noToken(first.missing)
    const result = await company.limit(() => once(call, shape, first.token))
    if (result.ok || result.kind !== 'reconnect') return result
    const newer = await accessToken(first.token)
    return 'missing' in newer ? noToken(newer.missing) : company.limit(() => once(call, shape, newer.token))
  }

  async function send<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<Result<z.output<Shape>>> {
    let uncertain = false
    for (let attempt = 0; ; attempt++) {
      const wait = company.notBefore - Date.now()
      if (wait > maxPauseMs) return failure('rate-limit', 'QuickBooks is limiting requests', uncertain)
      if (wait > 0) await after(wait)
      const result = await authorised(call, shape)
      if (result.ok) return result
      uncertain ||= result.isUncertain
      if (attempt >= retries || !isPassing(result)) return { ...result, isUncertain: uncertain }
      await after(firstPause * 2 ** attempt * (0.75 + Math.random() / 2))
    }
  }

  /** One page of a query's results. */
  async function query<Entity extends keyof Queried>(entity: Entity, page: Page = {}): Promise<Result<z.output<Queried[Entity]>[]>> {
    const shape = z.object({ QueryResponse: z.object({ [entity]: z.array(queried[entity]).default([]) }) })
    const result = await send({ method: 'GET', path: 'query', query: { query: selectFrom(entity, page) } }, shape)
    if (!result.ok) return result
    return { ok: true, value: result.value.QueryResponse[entity] as z.output<Queried[Entity]>[] }
  }

  /** All results of a query, a thousand per request. */
  async function queryAll<Entity extends keyof Queried>(
    entity: Entity,
    where: readonly string[] = [],
  ): Promise<Result<z.output<Queried[Entity]>[]>> {
    const all: z.output<Queried[Entity]>[] = []
    for (;;) {
      const page = await query(entity, { where, start: all.length + 1 })
      if (!page.ok) return page
      all.push(...page.value)
      if (page.value.length < maxQueryResults) return { ok: true, value: all }
    }
  }

  /** Creates an object. Repeating the same `requestId` returns the first result and creates nothing. */
  async function create<Shape extends z.ZodType>(
    name: string,
    shape: Shape,
    requestId: string,
    body: object,
  ): Promise<Result<z.output<Shape>>> {
    const result = await send(
      { method: 'POST', path: name.toLowerCase(), query: { requestid: requestId }, body },
      z.object({ [name]: shape }),
    )
    return result.ok ? { ok: true, value: result.value[name] as z.output<Shape> } : result
  }

  async function read<Shape extends z.ZodType>(name: string, id: string, shape: Shape): Promise<Result<z.output<Shape>>> {
    const result = await send({ method: 'GET', path: `${name.toLowerCase()}/${encodeURIComponent(id)}` }, z.object({ [name]: shape }))
    return result.ok ? { ok: true, value: result.value[name] as z.output<Shape> } : result
  }

  return {
    realmId,
    query,
    queryAll,
    createCustomer: (requestId: string, body: NewCustomer) => create('Customer', customer, requestId, body),
    /** Changes only what is named; `SyncToken` is the version that was seen (code 5010 when it is old). */
    updateCustomer: (requestId: string, body: { Id: string; SyncToken: string } & Partial<NewCustomer>) =>
      create('Customer', customer, requestId, { ...body, sparse: true }),
    readCustomer: (id: string) => read('Customer', id, customer),
    createSalesReceipt: (requestId: string, body: object) => create('SalesReceipt', receipt, requestId, body),
    readSalesReceipt: (id: string) => read('SalesReceipt', id, receipt),
    createRefundReceipt: (requestId: string, body: object) => create('RefundReceipt', receipt, requestId, body),
    createDeposit: (requestId: string, body: object) => create('Deposit', deposit, requestId, body),
    companyInfo: () => read('CompanyInfo', realmId, companyInfo),
    preferences: async () => {
      const result = await send({ method: 'GET', path: 'preferences' }, z.object({ Preferences: preferences }))
      return result.ok ? ({ ok: true, value: result.value.Preferences } as const) : result
    },
  }
}

export type NewCustomer = { DisplayName: string; GivenName?: string; FamilyName?: string; PrimaryEmailAddr?: { Address: string } }

const noToken = (missing: 'reconnect' | 'away') =>
  failure(missing, missing === 'away' ? 'QuickBooks does not answer' : 'QuickBooks has to be reconnected')

/** Milliseconds: what Retry-After asks for, in seconds; a second when it asks for nothing. */
const pauseAsked = (header: string | null): number => (header && /^\d+$/.test(header) ? Number(header) * 1_000 : 1_000)
