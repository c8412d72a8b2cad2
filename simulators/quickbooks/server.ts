/**
 * Simulates QuickBooks Online and Intuit's OAuth 2 in the original wire format, so that vendor clients work against it unchanged. It has
 * the records of a fictional clinic in Ontario, calculates sales tax and injects faults on demand.
 *
 *   node simulators/quickbooks/server.ts --port 4102 [--host 127.0.0.1] [--file books.jsonl] [--client-id ID --client-secret SECRET]
 *
 * The vendor's API: /connect/oauth2 (consent), /oauth2/v1/tokens/bearer, /oauth2/v1/tokens/revoke, /.well-known/openid_configuration and
 * /v3/company/{realmId}/... For the demo and tests:
 *   GET    /                       the newest sales receipts, refunds and deposits as a page
 *   GET    /_books/receipts        as JSON, newest first; likewise /_books/refunds, /_books/deposits and /_books/customers
 *   GET    /_books/calls           the number of calls by name and the maximum concurrency; DELETE resets the counts
 *   POST   /_control/faults        injects faults into the next calls (../faults.ts); GET lists pending faults, DELETE clears them
 *   POST   /_control/offline       { offline: true }: every call returns 503 until { offline: false }
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { handleAccounting, nameOf, save, withTime } from './api.ts'
import { CompanyStore } from './company-store.ts'
import { salesPage } from './sales/sales-page.ts'
import { realmId } from './company/chart.ts'
import { seed } from './company/seed.ts'
import type { Entity } from './entity.ts'
import { type FaultRequest, faultRequest, Faults } from '../faults.ts'
import { Grants, type Tokens } from './grants.ts'
import { type Call, listen, parseJson, readCall, type Reply, sendJson, sendPage } from '../http.ts'
import { Journal } from './journal.ts'
import { handleRevoke, handleTokens, consent, discovery, grantTypeOf, revokePaths, tokenPath } from './oauth.ts'
import { statusReply } from './refusal.ts'
import { Traffic } from './traffic.ts'

export type QuickBooksSimulatorOptions = {
  /** 0, the default, picks a free port. */
  port?: number
  /** The loopback address by default: anyone who can reach the server can read the company's data. */
  host?: string
  /** Where to store records and tokens, one JSON object per line. */
  file?: string
  /** The only valid client; any client is accepted if omitted. */
  clientId?: string
  clientSecret?: string
  /** Defaults to an hour, as with Intuit. */
  accessTokenSeconds?: number
  /** How long a refresh token remains valid after it was exchanged; defaults to 0. */
  refreshGraceSeconds?: number
  /** More concurrent calls get a 429; defaults to 10, as with Intuit. */
  maxConcurrent?: number
  /** Delay before each vendor response. */
  latencyMs?: number
  /** Milliseconds since 1970. */
  now?: () => number
}

export type QuickBooksSimulator = {
  url: string
  realmId: string
  /** Newest first. */
  receipts(): readonly Entity[]
  refunds(): readonly Entity[]
  deposits(): readonly Entity[]
  customers(): readonly Entity[]
  /** The number of calls by name, such as createSalesReceipt or refreshToken, including refused ones. */
  calls(): Readonly<Record<string, number>>
  /** The maximum number of concurrent API calls. */
  maxParallel(): number
  /** If `maxParallel` is above 1, refreshes overlapped. */
  refreshes(): { count: number; maxParallel: number }
  resetCalls(): void
  /** Issues tokens without the consent page. */
  connect(): Tokens
  /** Creates a record as a call would, without the call. Throws what QuickBooks refuses. */
  create(type: 'Customer' | 'SalesReceipt', body: unknown): Entity
  /** As when the clinic disconnects the application inside QuickBooks: invalidates all tokens. */
  disconnect(): void
  fault(request: FaultRequest): void
  clearFaults(): void
  setOffline(offline: boolean): void
  stop(): Promise<void>
}

const offlineRequest = z.strictObject({ offline: z.boolean() })

export async function startQuickBooksSimulator(options: QuickBooksSimulatorOptions = {}): Promise<QuickBooksSimulator> {
  const { host = '127.0.0.1', now = Date.now, latencyMs = 0, accessTokenSeconds = 3600, refreshGraceSeconds = 0 } = options
  const journal = new Journal(options.file)
  const store = new CompanyStore(seed, journal, now)
  const grants = new Grants({ now, accessTokenSeconds, refreshGraceSeconds, save: (grant) => journal.write({ grant }) })
  for (const entry of journal.read()) {
    if ('grant' in entry) grants.restore(entry.grant)
    else store.restore(entry.commit)
  }
  const faults = new Faults(' /v3/')
  const traffic = new Traffic(options.maxConcurrent ?? 10)
  let offline = false

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, { status: 500, body: { message: String(error) } })
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://simulator').pathname
    const isApiCall = path.startsWith('/v3/company/')
    const running = isApiCall ? traffic.begin() : undefined
    if (running) response.once('close', running.end)
    const call = await readCall(request)
    if (path === '/connect/oauth2') return handleConsent(call, response)
    if (isApiCall || path === tokenPath || revokePaths.includes(path) || path.startsWith('/.well-known/openid_')) {
      return await respondAsVendor(call, response, running?.tooMany ?? false)
    }
    handleOther(call, response)
  }

  async function respondAsVendor(call: Call, response: ServerResponse, tooMany: boolean): Promise<void> {
    const name = nameOfCall(call)
    traffic.count(name)
    if (name === 'refreshToken') response.once('close', traffic.beginRefresh())
    response.setHeader('intuit_tid', `1-${crypto.randomUUID()}`)
    const send = (reply: Reply) => sendJson(response, { ...reply, body: withTime(reply.body, now()) })
    if (latencyMs > 0) await wait(latencyMs)
    if (offline) return send(statusReply(503, now()))
    if (tooMany) return send(statusReply(429, now()))

    const fault = faults.nextFault(`${call.method} ${call.path}`)
    if (fault?.kind === 'status') return send(statusReply(fault.status, now(), fault.retryAfter))
    // The client times out, or stop() closes the connection.
    if (fault?.kind === 'timeoutBefore') return void (await once(response, 'close'))
    if (fault?.kind === 'dropBefore') return void response.destroy()
    const reply = respond(call)
    if (fault?.kind === 'timeoutAfter') return void (await once(response, 'close'))
    if (fault?.kind === 'dropAfter') return void response.destroy()
    if (fault?.kind === 'badJson') {
      const text = JSON.stringify(reply.body)
      return void response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text.slice(0, text.length / 2))
    }
    send(reply)
  }

  function respond(call: Call): Reply {
    if (call.path === tokenPath) return handleTokens(call, grants, options)
    if (revokePaths.includes(call.path)) return handleRevoke(call, grants, options)
    if (call.path.startsWith('/.well-known/')) return discovery(`http://${call.headers.host ?? host}`)
    return handleAccounting(call, { store, grants, now })
  }

  function handleConsent(call: Call, response: ServerResponse): void {
    const result = consent(call, grants, options)
    if ('page' in result) return sendPage(response, result.page, result.status)
    response.writeHead(302, { location: result.location }).end()
  }

  /** Handles paths that QuickBooks does not have: the page, the records, the counts and the faults. */
  function handleOther(call: Call, response: ServerResponse): void {
    const json = (body: unknown, status = 200) => sendJson(response, { status, body })
    const route = `${call.method} ${call.path}`
    if (route === 'GET /') return sendPage(response, salesPage(sales()))
    if (route === 'GET /_books/receipts') return json(simulator.receipts())
    if (route === 'GET /_books/refunds') return json(simulator.refunds())
    if (route === 'GET /_books/deposits') return json(simulator.deposits())
    if (route === 'GET /_books/customers') return json(simulator.customers())
    if (route === 'GET /_books/calls') return json({ calls: traffic.calls, maxParallel: traffic.maxParallel, refreshes: traffic.refreshes })
    if (route === 'GET /_control/faults') return json({ ...faults.list(), offline })
    if (route === 'DELETE /_books/calls') traffic.reset()
    else if (route === 'DELETE /_control/faults') faults.clear()
    else if (route === 'POST /_control/faults') {
      const parsed = faultRequest.safeParse(parseJson(call.body))
      if (!parsed.success) return json({ message: z.prettifyError(parsed.error) }, 400)
      faults.add(parsed.data)
    } else if (route === 'POST /_control/offline') {
      const parsed = offlineRequest.safeParse(parseJson(call.body))
      if (!parsed.success) return json({ message: z.prettifyError(parsed.error) }, 400)
      offline = parsed.data.offline
    } else return json({ message: `The simulator does not support ${route}.` }, 404)
    response.writeHead(204).end()
  }

  function sales() {
    return (['SalesReceipt', 'RefundReceipt', 'Deposit'] as const)
      .flatMap((type) => store.list(type).map((entity) => ({ type, entity })))
      .toSorted((a, b) => Number(b.entity.Id) - Number(a.entity.Id))
  }

  const port = await listen(server, options.port ?? 0, host)
  const simulator: QuickBooksSimulator = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    realmId,
    receipts: () => store.list('SalesReceipt').toReversed(),
    refunds: () => store.list('RefundReceipt').toReversed(),
    deposits: () => store.list('Deposit').toReversed(),
    customers: () => store.list('Customer').toReversed(),
    calls: () => traffic.calls,
    maxParallel: () => traffic.maxParallel,
    refreshes: () => traffic.refreshes,
    resetCalls: () => traffic.reset(),
    connect: () => grants.open(options.clientId ?? 'client'),
    create: (type, body) => save(type, body, { store, now: now(), allowDuplicateNumber: false })[type] as Entity,
    disconnect: () => grants.revokeAll(),
    fault: (request) => faults.add(faultRequest.parse(request)),
    clearFaults: () => faults.clear(),
    setOffline(value) {
      offline = value
    },
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
  return simulator
}

function nameOfCall(call: Call): string {
  if (call.path === tokenPath) return grantTypeOf(call) === 'refresh_token' ? 'refreshToken' : 'exchangeCode'
  if (revokePaths.includes(call.path)) return 'revokeToken'
  return call.path.startsWith('/.well-known/') ? 'discover' : nameOf(call)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4102' },
      host: { type: 'string' },
      file: { type: 'string' },
      'client-id': { type: 'string' },
      'client-secret': { type: 'string' },
    },
  })
  const { port, 'client-id': clientId, 'client-secret': clientSecret, ...others } = values
  const simulator = await startQuickBooksSimulator({ ...others, clientId, clientSecret, port: Number(port) })
  console.log(`The QuickBooks simulator listens on ${simulator.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop())
}
