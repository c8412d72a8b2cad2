/**
 * A stand-in for QuickBooks Online and for Intuit's OAuth 2: it speaks the real wire format, so that vendor clients work against it unchanged, keeps
 * the books of a made-up clinic in Ontario, calculates the sales tax itself and fails on demand.
 *
 *   node simulators/quickbooks/server.ts --port 4102 [--host 127.0.0.1] [--file books.jsonl] [--client-id ID --client-secret SECRET]
 *
 * The vendor's side: /connect/oauth2 (consent), /oauth2/v1/tokens/bearer, /oauth2/v1/tokens/revoke, /.well-known/openid_configuration and
 * /v3/company/{realmId}/... In addition, for people and tests:
 *   GET    /                       the newest sales receipts and refunds as a page
 *   GET    /_books/receipts        as JSON, newest first; likewise /_books/refunds and /_books/customers
 *   GET    /_books/calls           how often each kind of call came, and how many at once; DELETE resets the counts
 *   POST   /_control/faults        the next calls fail, see ../faults.ts; GET lists pending faults, DELETE clears them
 *   POST   /_control/offline       { offline: true }: every call is answered 503 until { offline: false }
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { handleAccounting, nameOf, withTime } from './api.ts'
import { Books } from './company-store.ts'
import { booksPage } from './sales/sales-page.ts'
import { realmId } from './company/chart.ts'
import { seed } from './company/seed.ts'
import type { Entity } from './entity.ts'
import { type FaultOrder, faultRequest, Faults } from '../faults.ts'
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
  /** Where to keep what it is told, tokens included, one JSON object per line. */
  file?: string
  /** The one client that is valid; any is accepted if omitted. */
  clientId?: string
  clientSecret?: string
  /** Intuit's hour by default. */
  accessTokenSeconds?: number
  /** For how long a refresh token still works after it was exchanged for the next. Not at all by default. */
  refreshGraceSeconds?: number
  /** More calls than this at once are answered 429; Intuit allows 10. */
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
  customers(): readonly Entity[]
  /** How often each kind of call came, refused ones included: createSalesReceipt, queryCustomer, refreshToken, ... */
  calls(): Readonly<Record<string, number>>
  /** The highest number of calls to the books that were under way at once. */
  maxParallel(): number
  /** `maxParallel` above 1 says that refreshes overlapped. */
  refreshes(): { count: number; maxParallel: number }
  resetCalls(): void
  /** Tokens without the way over the consent page. */
  connect(): Tokens
  /** As when the clinic disconnects the application inside QuickBooks: no token works any more. */
  disconnect(): void
  fault(order: FaultOrder): void
  clearFaults(): void
  setOffline(offline: boolean): void
  stop(): Promise<void>
}

const offlineRequest = z.strictObject({ offline: z.boolean() })

export async function startQuickBooksSimulator(options: QuickBooksSimulatorOptions = {}): Promise<QuickBooksSimulator> {
  const { host = '127.0.0.1', now = Date.now, latencyMs = 0, accessTokenSeconds = 3600, refreshGraceSeconds = 0 } = options
  const journal = new Journal(options.file)
  const books = new Books(seed, journal, now)
  const grants = new Grants({ now, accessTokenSeconds, refreshGraceSeconds, save: (grant) => journal.write({ grant }) })
  for (const entry of journal.read()) {
    if ('grant' in entry) grants.restore(entry.grant)
    else books.restore(entry.commit)
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
    const forBooks = path.startsWith('/v3/company/')
    const begun = forBooks ? traffic.begin() : undefined
    if (begun) response.once('close', begun.end)
    const call = await readCall(request)
    if (path === '/connect/oauth2') return handleConsent(call, response)
    if (forBooks || path === tokenPath || revokePaths.includes(path) || path.startsWith('/.well-known/openid_')) {
      return await respondAsVendor(call, response, begun?.tooMany ?? false)
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
    const reply = answer(call)
    if (fault?.kind === 'timeoutAfter') return void (await once(response, 'close'))
    if (fault?.kind === 'dropAfter') return void response.destroy()
    if (fault?.kind === 'badJson') {
      const text = JSON.stringify(reply.body)
      return void response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text.slice(0, text.length / 2))
    }
    send(reply)
  }

  function answer(call: Call): Reply {
    if (call.path === tokenPath) return handleTokens(call, grants, options)
    if (revokePaths.includes(call.path)) return handleRevoke(call, grants, options)
    if (call.path.startsWith('/.well-known/')) return discovery(`http://${call.headers.host ?? host}`)
    return handleAccounting(call, { books, grants, now })
  }

  function handleConsent(call: Call, response: ServerResponse): void {
    const answered = consent(call, grants, options)
    if ('page' in answered) return sendPage(response, answered.page, answered.status)
    response.writeHead(302, { location: answered.location }).end()
  }

  /** What QuickBooks has not: the page, the books as they are, the counts and the faults. */
  function handleOther(call: Call, response: ServerResponse): void {
    const json = (body: unknown, status = 200) => sendJson(response, { status, body })
    const asked = `${call.method} ${call.path}`
    if (asked === 'GET /') return sendPage(response, booksPage(sales()))
    if (asked === 'GET /_books/receipts') return json(simulator.receipts())
    if (asked === 'GET /_books/refunds') return json(simulator.refunds())
    if (asked === 'GET /_books/customers') return json(simulator.customers())
    if (asked === 'GET /_books/calls') return json({ calls: traffic.calls, maxParallel: traffic.maxParallel, refreshes: traffic.refreshes })
    if (asked === 'GET /_control/faults') return json({ ...faults.list(), offline })
    if (asked === 'DELETE /_books/calls') traffic.reset()
    else if (asked === 'DELETE /_control/faults') faults.clear()
    else if (asked === 'POST /_control/faults') {
      const order = faultRequest.safeParse(parseJson(call.body))
      if (!order.success) return json({ message: z.prettifyError(order.error) }, 400)
      faults.add(order.data)
    } else if (asked === 'POST /_control/offline') {
      const order = offlineRequest.safeParse(parseJson(call.body))
      if (!order.success) return json({ message: z.prettifyError(order.error) }, 400)
      offline = order.data.offline
    } else return json({ message: `The simulator knows no ${asked}.` }, 404)
    response.writeHead(204).end()
  }

  function sales() {
    return (['SalesReceipt', 'RefundReceipt'] as const)
      .flatMap((type) => books.list(type).map((entity) => ({ type, entity })))
      .toSorted((a, b) => Number(b.entity.Id) - Number(a.entity.Id))
  }

  const port = await listen(server, options.port ?? 0, host)
  const simulator: QuickBooksSimulator = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    realmId,
    receipts: () => books.list('SalesReceipt').toReversed(),
    refunds: () => books.list('RefundReceipt').toReversed(),
    customers: () => books.list('Customer').toReversed(),
    calls: () => traffic.calls,
    maxParallel: () => traffic.maxParallel,
    refreshes: () => traffic.refreshes,
    resetCalls: () => traffic.reset(),
    connect: () => grants.open(options.clientId ?? 'client'),
    disconnect: () => grants.revokeAll(),
    fault: (order) => faults.add(faultRequest.parse(order)),
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
