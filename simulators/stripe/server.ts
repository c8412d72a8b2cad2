/**
 * Simulates Stripe in the original wire format, so that the vendor's own package works against it unchanged. Test cards behave as in
 * Stripe's test mode, each payment costs 2.9 % and 30 cents, and every change is posted to the webhook endpoint with Stripe's signature.
 *
 *   node simulators/stripe/server.ts --port 4108 [--host 127.0.0.1] [--webhook URL] [--file stripe.json]
 *
 * The vendor's API under /v1 (api.ts): customers, payment methods, payment and setup intents, charges, refunds, disputes, balance
 * transactions, payouts, events and terminal readers, with idempotency keys; and /v3/, a small Stripe.js (stripe-js.ts). For the demo and tests:
 *   GET    /                       the account's charges, readers, disputes and payouts as a page, where one taps a card or opens a dispute
 *   GET    /_objects/{object}      all objects of a kind as JSON, newest first; likewise /_hooks, the posts to the endpoint
 *   POST   /_control/webhook       { url }: sets the endpoint
 *   POST   /_control/deliveries    how later events are posted (hooks.ts)
 *   POST   /_control/disputes      { charge?, payment_intent?, reason?, amount?, dueInDays? }: a cardholder disputes a payment
 *   POST   /_control/payouts       pays out what no payout has yet
 *   POST   /_control/cards         { id, token }: a saved card acts as another test card from now on, such as one without funds
 *   POST   /_control/objects       { id, fields }: changes an object, such as the expiry of a card or a reader that goes offline
 *   POST   /_control/faults        injects faults into the next calls (../faults.ts); GET lists pending faults, DELETE clears them
 *   POST   /_control/offline       { offline: true }: every call returns 503 until { offline: false }
 *   GET    /_control/calls         the number of calls by name; DELETE resets the counts
 */
import { timingSafeEqual } from 'node:crypto'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type Call, parseJson, type Reply } from '../http.ts'
import { badRequest, startVendorServer, type VendorOptions, type VendorReply, type VendorServer } from '../vendor-server.ts'
import { carryOut, nameOf, withoutPrivate } from './api.ts'
import { testCards } from './cards.ts'
import { type Deliveries, deliveries, type HookCall, Hooks } from './hooks.ts'
import { authenticate, createIntent, newIntent } from './intents.ts'
import { closeDispute, dispute, newDispute, newRefund, payOut, refund } from './money.ts'
import { accountPage } from './page.ts'
import { statusReply, StripeRefusal } from './refusal.ts'
import { type Fields, Store, type StripeEvent } from './store.ts'
import { framePage, stripeJs } from './stripe-js.ts'
import { addReader, present } from './terminal.ts'

export const stripeCredentials = {
  secretKey: 'sk_test_of_the_simulator_0123456789',
  publishableKey: 'pk_test_of_the_simulator_0123456789',
  webhookSecret: 'whsec_of_the_simulator_0123456789',
}

export type StripeSimulatorOptions = VendorOptions &
  Partial<typeof stripeCredentials> & {
    /** Where events are posted. */
    webhook?: string | undefined
    /** Stores the account, so that it survives a restart. */
    file?: string | undefined
    /** Milliseconds since 1970. */
    now?: () => number
  }

export type StripeSimulator = VendorServer &
  typeof stripeCredentials & {
    /** Objects of a kind, newest first, such as 'charge'. */
    list(object: string): Fields[]
    /** Oldest first. */
    readonly events: readonly StripeEvent[]
    /** Newest first. */
    readonly hookCalls: readonly HookCall[]
    setWebhook(url: string | undefined): void
    /** How later events are posted. */
    setDeliveries(given: Deliveries): void
    /** Posts an event again. Resolves with the response. */
    post(event: StripeEvent): Promise<HookCall>
    /** Charges a test card without a page. @returns the charge. */
    charge(given: { amount: number }): Fields
    /** Gives part of a charge back, as the dashboard does. @returns the refund. */
    refund(given: { charge: string; amount: number }): Fields
    /** A cardholder disputes a payment. */
    dispute(given: z.input<typeof newDispute>): Fields
    closeDispute(id: string, status: 'won' | 'lost'): void
    /** Pays out what no payout has yet; null when that comes to nothing. */
    payOut(): Fields | null
    /** Changes an object, such as the expiry of a card. */
    change(id: string, fields: Record<string, unknown>): void
    /** A saved card acts as another test card from now on, such as 'pm_card_chargeDeclinedInsufficientFunds'. */
    replaceCard(id: string, token: string): void
    addReader(label: string): Fields
    /** Taps a card on a reader. @param number of a test card; Interac's by `isInterac`. */
    present(readerId: string, card?: { number?: string; isInterac?: boolean }): void
    /** Resolves once no event is left to post. */
    settled(): Promise<void>
  }

export async function startStripeSimulator(options: StripeSimulatorOptions = {}): Promise<StripeSimulator> {
  const now = options.now ?? Date.now
  const account = {
    secretKey: options.secretKey ?? stripeCredentials.secretKey,
    publishableKey: options.publishableKey ?? stripeCredentials.publishableKey,
    webhookSecret: options.webhookSecret ?? stripeCredentials.webhookSecret,
  }
  const hooks = new Hooks(account.webhookSecret, () => Math.floor(now() / 1_000))
  hooks.url = options.webhook
  const store = new Store(now, (event) => hooks.accept(event), options.file)

  const server = await startVendorServer(
    { defaultMatch: ' /v1/', isVendorPath: (path) => /^\/v[13]\//.test(path), respond, refusal: statusReply, handleControl, nameOf },
    options,
  )

  function respond(call: Call): VendorReply {
    if (call.path === '/v3/')
      return { status: 200, file: Buffer.from(stripeJs), headers: { 'content-type': 'text/javascript; charset=utf-8' } }
    if (call.path === '/v3/frame') return { status: 200, page: framePage(call.query) }
    const headers = { 'request-id': `req_${crypto.randomUUID().replaceAll('-', '').slice(0, 14)}`, 'access-control-allow-origin': '*' }
    const { status, body, headers: own } = reply(call)
    return { status, body, headers: { ...headers, ...own } }
  }

  function reply(call: Call): Reply {
    const fromPage = pageCall(call)
    if (fromPage) return fromPage
    if (!hasKey(call, account.secretKey)) return new StripeRefusal(401, 'Invalid API Key provided').reply()
    const key = call.method === 'POST' ? call.headers['idempotency-key'] : undefined
    if (typeof key !== 'string') return answer(() => carryOut(store, call))
    const fingerprint = `${call.path}\n${call.body}`
    const known = store.answers.get(key)
    if (known && known.fingerprint !== fingerprint) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
      return new StripeRefusal(400, message, { type: 'idempotency_error' }).reply()
    }
    if (known) return { ...known.reply, headers: { 'idempotent-replayed': 'true' } }
    const made = answer(() => carryOut(store, call))
    // A request that was refused before anything happened may be sent again with other parameters.
    if (made.status !== 400 && made.status !== 404) store.answers.set(key, { fingerprint, reply: made })
    return made
  }

  /** A call of a page, which has the publishable key and the secret of one intent. @returns undefined for any other. */
  function pageCall(call: Call): Reply | undefined {
    const given = new URLSearchParams(call.method === 'POST' ? call.body : call.query)
    if (given.get('key') !== account.publishableKey) return undefined
    const secret = given.get('client_secret') ?? ''
    const id = secret.split('_secret_')[0]!
    if (store.objects.get(id)?.client_secret !== secret)
      return new StripeRefusal(400, 'The client_secret does not match.', { param: 'client_secret' }).reply()
    if (call.path === '/v3/authenticate') return answer(() => authenticate(store, id, given.get('success') === 'true'))
    const isOwn = new RegExp(`^/v1/(?:payment|setup)_intents/${id}(?:/confirm)?$`).test(call.path)
    return isOwn ? answer(() => carryOut(store, call)) : new StripeRefusal(401, 'This key may not make this call').reply()
  }

  function answer(work: () => object): Reply {
    try {
      return { status: 200, body: withoutPrivate(structuredClone(work())) }
    } catch (error) {
      if (error instanceof StripeRefusal) return error.reply()
      throw error
    }
  }

  function handleControl(call: Call): VendorReply | undefined {
    const route = `${call.method} ${call.path}`
    const done = { status: 204, body: undefined }
    const given = parseJson(call.body)
    const object = /^GET \/_objects\/([\w.]+)$/.exec(route)?.[1]
    if (object) return { status: 200, body: store.list(object) }
    if (route === 'GET /') return { status: 200, page: accountPage(store) }
    if (route === 'GET /_hooks') return { status: 200, body: hooks.calls }
    if (route === 'POST /_control/payouts') return answer(() => payOut(store) ?? {})
    if (route === 'POST /_control/disputes') {
      const parsed = newDispute.safeParse(given ?? Object.fromEntries(new URLSearchParams(call.body)))
      return parsed.success ? answer(() => dispute(store, parsed.data)) : badRequest(parsed.error)
    }
    if (route === 'POST /_control/webhook') {
      const parsed = z.strictObject({ url: z.url().nullable() }).safeParse(given)
      return parsed.success ? ((hooks.url = parsed.data.url ?? undefined), done) : badRequest(parsed.error)
    }
    if (route === 'POST /_control/deliveries') {
      const parsed = deliveries.safeParse(given)
      return parsed.success ? (hooks.set(parsed.data), done) : badRequest(parsed.error)
    }
    if (route === 'POST /_control/cards') {
      const parsed = z.strictObject({ id: z.string(), token: z.enum(Object.keys(testCards)) }).safeParse(given)
      return parsed.success ? answer(() => replaceCard(parsed.data.id, parsed.data.token)) : badRequest(parsed.error)
    }
    if (route === 'POST /_control/objects') {
      const parsed = z.strictObject({ id: z.string(), fields: z.record(z.string(), z.unknown()) }).safeParse(given)
      return parsed.success ? answer(() => change(parsed.data.id, parsed.data.fields)) : badRequest(parsed.error)
    }
    if (route === 'POST /_page/act') {
      const form = new URLSearchParams(call.body)
      const [act, id, number] = [form.get('act'), form.get('id') ?? '', form.get('number')]
      const acted = answer(() => {
        if (act === 'dispute') return dispute(store, newDispute.parse({ charge: id }))
        if (act === 'won' || act === 'lost') return closeDispute(store, id, act)
        if (act === 'payout') return payOut(store) ?? {}
        return present(store, id, number ? presented(number) : {})
      })
      return acted.status === 200 ? { location: '/' } : acted
    }
    return undefined
  }

  function replaceCard(id: string, token: string): object {
    const found = store.get('payment_method', id)
    store.cards.set(id, testCards[token]!)
    return found
  }

  /** Merges fields into an object, one level deep. */
  function change(id: string, fields: Record<string, unknown>): object {
    const found = store.objects.get(id)
    if (!found) throw new StripeRefusal(404, `No such object: '${id}'`)
    for (const [name, value] of Object.entries(fields)) {
      const isPart = value !== null && typeof value === 'object' && !Array.isArray(value)
      found[name] = isPart ? { ...(found[name] as object), ...value } : value
    }
    return found
  }

  return {
    ...server,
    ...account,
    list: (object) => store.list(object),
    get events() {
      return store.events
    },
    get hookCalls() {
      return hooks.calls
    },
    setWebhook(url) {
      hooks.url = url
    },
    setDeliveries: (given) => hooks.set(given),
    post: (event) => hooks.post(event),
    charge({ amount }) {
      const intent = createIntent(
        store,
        newIntent.parse({ amount: String(amount), currency: 'cad', payment_method: 'pm_card_visa', confirm: 'true' }),
      )
      return store.get('charge', intent.latest_charge)
    },
    refund: ({ charge, amount }) => refund(store, newRefund.parse({ charge, amount: String(amount) })),
    dispute: (given) => dispute(store, newDispute.parse(given)),
    closeDispute: (id, status) => void closeDispute(store, id, status),
    payOut: () => payOut(store),
    change: (id, fields) => void change(id, fields),
    replaceCard: (id, token) => void replaceCard(id, token),
    addReader: (label) => addReader(store, { label }),
    present: (id, card = {}) =>
      void present(store, id, card.isInterac ? presented('4506445006931933') : card.number ? presented(card.number) : {}),
    settled: () => hooks.settled(),
    async stop() {
      hooks.stop()
      await server.stop()
      store.save()
    },
  }
}

/** Interac's card is of another kind. */
const presented = (number: string) => (number.startsWith('4506') ? { interac_present: { number } } : { card_present: { number } })

/** The secret key, as a bearer token or the user of HTTP Basic. */
function hasKey({ headers }: Call, secretKey: string): boolean {
  const [scheme, value = ''] = (headers.authorization ?? '').split(' ')
  const given = Buffer.from(scheme === 'Basic' ? Buffer.from(value, 'base64').toString().split(':')[0]! : value)
  const expected = Buffer.from(secretKey)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '4108' }, host: { type: 'string' }, webhook: { type: 'string' }, file: { type: 'string' } },
  })
  const simulator = await startStripeSimulator({ ...values, port: Number(values.port) })
  console.log(`The Stripe simulator listens on ${simulator.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop())
}
