/** Stripe's calls under /v1: each with its parameters, of which an unknown one is refused. */
import { z } from 'zod'
import { type Call, partsOf } from '../http.ts'
import { flag, metadata, parseForm, range, text, texts, whole } from './form.ts'
import * as intents from './intents.ts'
import * as money from './money.ts'
import { missing, StripeRefusal } from './refusal.ts'
import type { Fields, Store } from './store.ts'
import * as terminal from './terminal.ts'

/** `:id` in a path matches one part, which the handler gets first. */
type Route = { method: string; parts: string[]; input: z.ZodType; run: (store: Store, id: string, input: never) => unknown }

const expandable = { expand: texts.optional() }
const nothing = z.strictObject({})
const paging = { limit: whole.default(10), starting_after: text.optional(), ending_before: text.optional(), created: range.optional() }
const customer = z.strictObject({ name: text, email: text, phone: text, description: text, metadata, preferred_locales: texts }).partial()

const route = <Input extends z.ZodObject>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  input: Input,
  run: (store: Store, id: string, input: z.output<Input>) => unknown,
): Route => ({
  method,
  parts: path.split('/'),
  input: input.extend(expandable),
  run: (store, id, { expand: _, ...given }: Fields) => run(store, id, given as z.output<Input>),
})

/** A call that reads one object, and one that lists them, newest first, by the fields given. */
const reads = (path: string, object: string): Route => route('GET', `${path}/:id`, nothing, (store, id) => store.get(object, id))
const lists = (path: string, object: string, fields: z.ZodRawShape = {}): Route =>
  route(
    'GET',
    path,
    z.strictObject({ ...fields, ...paging }),
    (store, _, { limit, starting_after: after, ending_before: _before, created, ...wanted }: Fields) => {
      const found = store
        .list(object)
        .filter((one) =>
          Object.entries(wanted).every(([name, value]) => value === undefined || one[name === 'payout' ? '_payout' : name] === value),
        )
        .filter((one) => isWithin(one.created, created))
      const from = after ? found.findIndex(({ id }) => id === after) + 1 : 0
      const data = found.slice(from, from + limit)
      return { object: 'list', url: `/v1${path}`, has_more: from + limit < found.length, data }
    },
  )

const isWithin = (at: number, { gte = -Infinity, gt = -Infinity, lte = Infinity, lt = Infinity }: Fields = {}): boolean =>
  at >= gte && at > gt && at <= lte && at < lt

const routes: Route[] = [
  route('GET', '/balance', nothing, (store) => {
    const sum = (status: string) =>
      store
        .list('balance_transaction')
        .filter((one) => one.status === status)
        .reduce((all, { net }) => all + net, 0)
    const amounts = (amount: number) => [{ amount, currency: 'cad', source_types: { card: amount } }]
    return { object: 'balance', livemode: false, available: amounts(sum('available')), pending: amounts(sum('pending')) }
  }),
  route('POST', '/customers', customer, (store, _, given) =>
    store.add('cus', 'customer', {
      balance: 0,
      currency: null,
      delinquent: false,
      email: null,
      name: null,
      phone: null,
      description: null,
      ...given,
    }),
  ),
  route('POST', '/customers/:id', customer, (store, id, given) => {
    const found = store.get('customer', id)
    return Object.assign(found, given, { metadata: { ...found.metadata, ...given.metadata } })
  }),
  route('DELETE', '/customers/:id', nothing, (store, id) => {
    for (const method of store.list('payment_method')) if (method.customer === id) intents.detach(store, method.id)
    store.get('customer', id)
    store.objects.delete(id)
    return { id, object: 'customer', deleted: true }
  }),
  reads('/customers', 'customer'),
  lists('/customers', 'customer', { email: text.optional() }),
  route(
    'GET',
    '/customers/:id/payment_methods',
    z.strictObject({ type: text.optional(), limit: whole.default(10), starting_after: text.optional() }),
    (store, id, { type, limit }) => {
      store.get('customer', id)
      const data = store.list('payment_method').filter((one) => one.customer === id && (!type || one.type === type))
      return { object: 'list', url: `/v1/customers/${id}/payment_methods`, has_more: data.length > limit, data: data.slice(0, limit) }
    },
  ),
  route('POST', '/payment_methods', intents.newMethod, (store, _, given) => intents.addMethod(store, given)),
  route('POST', '/payment_methods/:id/attach', z.strictObject({ customer: text }), (store, id, given) =>
    intents.attach(store, id, given.customer),
  ),
  route('POST', '/payment_methods/:id/detach', nothing, (store, id) => intents.detach(store, id)),
  reads('/payment_methods', 'payment_method'),
  lists('/payment_methods', 'payment_method', { customer: text.optional(), type: text.optional() }),
  route('POST', '/payment_intents', intents.newIntent, (store, _, given) => intents.createIntent(store, given)),
  route('POST', '/payment_intents/:id', intents.changedIntent, intents.changeIntent),
  route('POST', '/payment_intents/:id/confirm', intents.confirmation, intents.confirmIntent),
  route('POST', '/payment_intents/:id/cancel', z.strictObject({ cancellation_reason: text.optional() }), (store, id, given) =>
    intents.cancelIntent(store, id, given.cancellation_reason),
  ),
  route('GET', '/payment_intents/:id', z.strictObject({ client_secret: text.optional(), key: text.optional() }), (store, id) =>
    store.get('payment_intent', id),
  ),
  lists('/payment_intents', 'payment_intent', { customer: text.optional() }),
  route('POST', '/setup_intents', intents.newSetup, (store, _, given) => intents.createSetup(store, given)),
  route('POST', '/setup_intents/:id/confirm', intents.confirmation, intents.confirmSetup),
  route('POST', '/setup_intents/:id/cancel', nothing, intents.cancelSetup),
  reads('/setup_intents', 'setup_intent'),
  lists('/setup_intents', 'setup_intent', { customer: text.optional() }),
  reads('/charges', 'charge'),
  lists('/charges', 'charge', { payment_intent: text.optional(), customer: text.optional() }),
  route('POST', '/refunds', money.newRefund, (store, _, given) => money.refund(store, given)),
  reads('/refunds', 'refund'),
  lists('/refunds', 'refund', { charge: text.optional(), payment_intent: text.optional() }),
  reads('/balance_transactions', 'balance_transaction'),
  lists('/balance_transactions', 'balance_transaction', { payout: text.optional(), type: text.optional(), source: text.optional() }),
  route('POST', '/disputes/:id', money.changedDispute, money.answerDispute),
  route('POST', '/disputes/:id/close', nothing, (store, id) => money.closeDispute(store, id, 'lost')),
  reads('/disputes', 'dispute'),
  lists('/disputes', 'dispute', { charge: text.optional(), payment_intent: text.optional() }),
  reads('/payouts', 'payout'),
  lists('/payouts', 'payout', { status: text.optional() }),
  route('GET', '/events/:id', nothing, (store, id) => {
    const found = store.events.find((event) => event.id === id)
    if (!found) throw missing('event', id)
    return found
  }),
  route(
    'GET',
    '/events',
    z.strictObject({ ...paging, type: text.optional(), types: texts.optional(), delivery_success: flag.optional() }),
    (store, _, given) => {
      const { limit, starting_after: after, created, type, types } = given
      const found = store.events
        .toReversed()
        .filter((event) => (!type || event.type === type) && (!types || types.includes(event.type)) && isWithin(event.created, created))
      const from = after ? found.findIndex(({ id }) => id === after) + 1 : 0
      return { object: 'list', url: '/v1/events', has_more: from + limit < found.length, data: found.slice(from, from + limit) }
    },
  ),
  route('POST', '/terminal/readers', terminal.newReader, (store, _, given) => terminal.addReader(store, given)),
  route('POST', '/terminal/readers/:id/process_payment_intent', terminal.reading, terminal.processIntent),
  route('POST', '/terminal/readers/:id/refund_payment', terminal.readerRefund, terminal.refundAtReader),
  route('POST', '/terminal/readers/:id/cancel_action', nothing, terminal.cancelAction),
  route('POST', '/test_helpers/terminal/readers/:id/present_payment_method', terminal.presented, terminal.present),
  reads('/terminal/readers', 'terminal.reader'),
  lists('/terminal/readers', 'terminal.reader', { status: text.optional(), location: text.optional() }),
]

function routeOf({ method, path }: Call): { route: Route; id: string } | null {
  const parts = partsOf(path.slice('/v1'.length))
  for (const route of routes) {
    const matches =
      route.method === method &&
      route.parts.length === parts.length &&
      route.parts.every((part, at) => part === ':id' || part === parts[at])
    if (matches) return { route, id: parts[route.parts.indexOf(':id')] ?? '' }
  }
  return null
}

/** 'POST /v1/payment_intents/:id/confirm', as calls are counted. */
export const nameOf = (call: Call): string => `${call.method} /v1${routeOf(call)?.route.parts.join('/') ?? call.path.slice('/v1'.length)}`

/** Carries out a call. @throws StripeRefusal */
export function carryOut(store: Store, call: Call): object {
  const found = routeOf(call)
  if (!found) throw new StripeRefusal(404, `Unrecognized request URL (${call.method}: ${call.path}).`)
  const given = parseForm(call.method === 'POST' ? new URLSearchParams(call.body) : call.query)
  const parsed = found.route.input.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const param = unknown ?? issue!.path.join('.')
    throw new StripeRefusal(400, unknown ? `Received unknown parameter: ${unknown}` : `Invalid ${param}: ${issue!.message}`, {
      code: unknown ? 'parameter_unknown' : 'parameter_invalid',
      param,
    })
  }
  const reply = structuredClone(found.route.run(store, found.id, parsed.data as never)) as Fields
  for (const path of (parsed.data as { expand?: string[] }).expand ?? []) expand(store, reply, path.split('.'), path)
  return withoutPrivate(reply) as object
}

/** Replaces an id by its object. */
function expand(store: Store, at: Fields, [part, ...rest]: string[], path: string): void {
  if (part === undefined) return
  if (Array.isArray(at[part])) return at[part].forEach((one: Fields) => expand(store, one, rest, path))
  if (!(part in at)) throw new StripeRefusal(400, `This property cannot be expanded (${path}).`, { param: 'expand' })
  if (typeof at[part] === 'string') at[part] = structuredClone(store.objects.get(at[part]) ?? at[part])
  if (at[part] !== null && typeof at[part] === 'object') expand(store, at[part], rest, path)
}

/** Leaves out the simulator's own fields, which begin with an underscore. */
export function withoutPrivate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrivate)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, part]) => (name.startsWith('_') ? [] : [[name, withoutPrivate(part)]])))
}
