/** Card readers, driven by the server (docs, "Server-driven integration"). */
import { z } from 'zod'
import { cardWithNumber } from './cards.ts'
import { flag, metadata, text, whole } from './form.ts'
import { addCard, confirmIntent } from './intents.ts'
import { refund } from './money.ts'
import { StripeRefusal } from './refusal.ts'
import type { Fields, Store } from './store.ts'

export const newReader = z.strictObject({
  registration_code: text,
  label: text.optional(),
  location: text.optional(),
  metadata: metadata.optional(),
})
const processConfig = z
  .strictObject({ skip_tipping: flag, enable_customer_cancellation: flag, allow_redisplay: text, return_url: text })
  .partial()
  .optional()
export const reading = z.strictObject({ payment_intent: text, process_config: processConfig })
export const readerRefund = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  amount: whole.optional(),
  metadata: metadata.default({}),
})
const number = z.strictObject({ number: text }).optional()
export const presented = z.strictObject({
  type: text.optional(),
  card_present: number,
  interac_present: number,
  amount_tip: whole.optional(),
})

export function addReader(store: Store, { label, location }: Partial<z.output<typeof newReader>>): Fields {
  return store.add('tmr', 'terminal.reader', {
    action: null,
    device_sw_version: '2.30.1.0',
    device_type: 'simulated_wisepos_e',
    ip_address: '127.0.0.1',
    label: label ?? 'Front desk',
    last_seen_at: store.now() * 1_000,
    location: location ?? null,
    serial_number: `SIM-${store.list('terminal.reader').length + 1}`,
    status: 'online',
  })
}

/** A reader that is free. @throws StripeRefusal when it is offline or busy. */
function freeReader(store: Store, id: string): Fields {
  const reader = store.get('terminal.reader', id)
  if (reader.status === 'offline') {
    throw new StripeRefusal(400, 'Reader is currently offline, please ensure the reader is powered on and connected to the internet.', {
      code: 'terminal_reader_offline',
    })
  }
  if (reader.action?.status === 'in_progress') {
    throw new StripeRefusal(400, 'Reader is currently busy processing another request.', { code: 'terminal_reader_busy' })
  }
  return reader
}

const action = (type: string, fields: Fields): Fields => ({
  type,
  status: 'in_progress',
  failure_code: null,
  failure_message: null,
  [type]: fields,
})

export function processIntent(store: Store, id: string, { payment_intent }: z.output<typeof reading>): Fields {
  const reader = freeReader(store, id)
  const intent = store.get('payment_intent', payment_intent, 'payment_intent')
  if (!intent.payment_method_types.some((type: string) => type.endsWith('_present'))) {
    throw new StripeRefusal(400, 'The PaymentIntent must allow card_present or interac_present.', {
      param: 'payment_intent',
    })
  }
  if (!['requires_payment_method', 'requires_confirmation'].includes(intent.status)) {
    throw new StripeRefusal(400, `The PaymentIntent has a status of ${intent.status}.`, { code: 'payment_intent_unexpected_state' })
  }
  return Object.assign(reader, { action: action('process_payment_intent', { payment_intent }) })
}

export function refundAtReader(store: Store, id: string, given: z.output<typeof readerRefund>): Fields {
  return Object.assign(freeReader(store, id), { action: action('refund_payment', given) })
}

export function cancelAction(store: Store, id: string): Fields {
  return Object.assign(store.get('terminal.reader', id), { action: null })
}

/** Taps a test card on the reader, which carries out its action. Visa by default. */
export function present(store: Store, id: string, given: z.output<typeof presented>): Fields {
  const reader = store.get('terminal.reader', id)
  if (reader.action?.status !== 'in_progress')
    throw new StripeRefusal(400, 'The reader has no action in progress.', { code: 'terminal_reader_invalid_location_for_activation' })
  const { type, refund_payment: wanted, process_payment_intent: process } = reader.action
  try {
    if (type === 'refund_payment') Object.assign(wanted, { refund: refund(store, wanted, true).id })
    else {
      const kind = given.interac_present ? 'interac_present' : 'card_present'
      const card = cardWithNumber((given.interac_present ?? given.card_present)?.number ?? '4242424242424242')
      if (!card) throw new StripeRefusal(400, 'No test card has this number.', { param: `${kind}[number]` })
      const expiry = { exp_month: 12, exp_year: new Date(store.now() * 1_000).getFullYear() + 3 }
      confirmIntent(store, process.payment_intent, { payment_method: addCard(store, card, kind, expiry).id })
    }
    reader.action.status = 'succeeded'
  } catch (error) {
    if (!(error instanceof StripeRefusal) || error.status !== 402) throw error
    Object.assign(reader.action, { status: 'failed', failure_code: error.details.code, failure_message: error.message })
  }
  store.emit(`terminal.reader.action_${reader.action.status}`, reader)
  return reader
}
