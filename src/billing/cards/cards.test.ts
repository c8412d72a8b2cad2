import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startStripeSimulator } from '../../../simulators/stripe/server.ts'
import { signatureOf } from '../../../simulators/stripe/hooks.ts'
import { confirmWith, hookAt, useCards } from '../../../test/billing/cards.ts'
import { createCustomer, newSale } from '../../../test/billing/point-of-sale.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import { emailsTo } from '../../../test/messages/emails.ts'
import { createSentQuote } from '../../../test/billing/quotes.ts'
import { makeDue, untilNoneLeft } from '../../../test/jobs.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { codeOf } from '../prepaid/service.ts'
import { payPath, type Payable } from './pay-links.ts'

const clock = { now: new Date('2026-11-29T15:00:00Z') }
const stripe = await startStripeSimulator({ now: () => clock.now.getTime() })
const till = useCards(stripe, { TRUST_PROXY: 'true' }, { now: () => clock.now })
let requestCount = 0
const visitor = () => till.server.client().payLinks
const tokenOf = (payable: Payable, lifetimeMs = 3_600_000) =>
  payPath(till.server.running.runtime, payable, lifetimeMs).slice('/pay/'.length)
const clerk = () => till.server.as('billing')
const accountOf = async (contactId: string) => (await clerk()).collections.account({ contactId })
const paymentsOf = (contactId: string) =>
  till.server.rows<{ id: string; status: string; failure_code: string | null; booked_at: Date | null; booking_problem: string | null }>(
    'select * from card_payments where contact_id = $1 order by created_at, id',
    [contactId],
  )
const runWatch = async () => {
  await till.server.rows("select graphile_worker.add_job('cards.watch-payments')")
  await untilNoneLeft(till.server, 'cards.watch-payments')
  await untilNoneLeft(till.server, 'cards.book-payment')
}

/** A patient who owes $1,000.00 today. */
async function debtor(amountCents = 100_000) {
  const client = await clerk()
  const { id: customerId, contactId } = await createCustomer(client)
  const { charges } = await client.collections.addCharge({ contactId, description: 'Rhinoplasty', amountCents, dueOn: '2026-11-29' })
  return { contactId, customerId, chargeId: charges[0]!.id, token: tokenOf({ kind: 'balance', id: contactId }) }
}
const start = (token: string, amountCents = 100_000, given: { key?: string; savesCard?: boolean; language?: 'en' | 'fr' } = {}) => {
  const { key = randomUUID(), ...rest } = given
  return visitor().start({ token, amountCents, idempotencyKey: key, ...rest })
}

const receiptsOf = (customerId: string) =>
  till.quickBooks.receipts().filter(({ CustomerRef }) => (CustomerRef as { value?: string } | undefined)?.value === customerId)

beforeEach(() => {
  clock.now = new Date('2026-11-29T15:00:00Z')
  stripe.clearFaults()
  stripe.setOffline(false)
  stripe.setDeliveries({})
  stripe.setWebhook(hookAt(till.server))
  till.quickBooks.clearFaults()
  till.quickBooks.setOffline(false)
  requestCount++
})

describe('paying by a link', () => {
  it('gives staff a link to copy or to text while something is due, in the patient’s language (issue 29)', async () => {
    const { contactId, chargeId } = await debtor()
    const client = await clerk()
    await client.contacts.update({
      id: contactId,
      version: (await client.contacts.get({ id: contactId })).version,
      preferredLanguage: 'fr',
    })
    const { url, text, expiresOn } = await client.collections.payLink({ contactId })
    expect(expiresOn).toBe('2026-12-28')
    expect(text).toBe(`Pour payer votre solde à Refyne, suivez ce lien. ${url}`)
    const token = url.slice(url.indexOf('/pay/') + '/pay/'.length)
    expect(await visitor().view({ token })).toMatchObject({ openCents: 100_000, isFromPortal: false, language: 'fr' })
    clock.now = new Date('2026-12-29T05:00:00Z')
    expect(await refusal(visitor().view({ token }))).toMatchObject({ code: 'NOT_FOUND' })
    await client.collections.void({ id: chargeId, reason: 'Charged twice' })
    expect(await refusal(client.collections.payLink({ contactId }))).toMatchObject({ code: 'NOTHING_OWED' })
    expect(await refusal(client.collections.payLink({ contactId: randomUUID() }))).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('charges the card, pays the charge and records a deposit in QuickBooks, once (issue 29)', async () => {
    const { contactId, chargeId, token } = await debtor()
    expect(await visitor().view({ token })).toEqual({
      kind: 'balance',
      isFromPortal: false,
      quoteNumber: null,
      firstName: 'Éloïse',
      language: null,
      lines: [{ quoteNumber: null, isFee: false, description: null, instalment: null, dueOn: '2026-11-29', openCents: 100_000 }],
      dueCents: 100_000,
      openCents: 100_000,
      nextDueOn: null,
      hasInstalments: false,
      isAutomatic: false,
      last: null,
    })
    const started = await start(token)
    expect(started).toMatchObject({ publishableKey: stripe.publishableKey, jsUrl: `${stripe.url}/v3/` })
    expect(await accountOf(contactId)).toMatchObject({ balanceCents: 100_000 })
    expect(await confirmWith(stripe, started.clientSecret)).toBe('succeeded')
    await until(async () => (await accountOf(contactId)).balanceCents === 0)
    expect(await visitor().view({ token })).toMatchObject({ openCents: 0, last: { status: 'paid', amountCents: 100_000 } })
    const { entries, deposits } = await accountOf(contactId)
    expect(entries).toMatchObject([{ kind: 'payment', chargeId, amountCents: -100_000 }, { kind: 'charge' }])
    expect(deposits).toEqual([])
    const [receipt] = till.quickBooks.receipts()
    expect(receipt).toMatchObject({
      TotalAmt: 1_000,
      DepositToAccountRef: { name: 'Stripe clearing' },
      PrivateNote: 'Paid by Card online',
      TxnTaxDetail: { TotalTax: 0 },
    })
    expect(receipt!.Line).toMatchObject([{ SalesItemLineDetail: { ItemRef: { name: 'Patient deposit' } } }, {}])
    await until(() => till.server.outbox.messages.some(({ Subject }) => /^Receipt \d+ from/.test(Subject ?? '')))
    const timeline = await till.server.rows('select description from interactions where contact_id = $1', [contactId])
    expect(timeline).toEqual(expect.arrayContaining([{ description: expect.stringMatching(/^Sales receipt \d+, \$1,000\.00$/) }]))
  })

  it('pays part of what is owed, most urgent first, and refuses more than is open (issue 29)', async () => {
    const { contactId, chargeId, token } = await debtor()
    const client = await clerk()
    await client.collections.addCharge({ contactId, description: 'Garment', amountCents: 20_000, dueOn: '2026-12-20' })
    expect(await visitor().view({ token })).toMatchObject({ dueCents: 100_000, openCents: 120_000 })
    expect(await refusal(start(token, 120_001))).toMatchObject({ status: 422, code: 'TOO_MUCH', data: { openCents: 120_000 } })
    expect(await refusal(start(token, 49))).toMatchObject({ status: 422 })
    const { clientSecret } = await start(token, 110_000)
    await confirmWith(stripe, clientSecret)
    await until(async () => (await accountOf(contactId)).balanceCents === 10_000)
    const { charges } = await accountOf(contactId)
    expect(charges.map(({ id, openCents }) => [id === chargeId, openCents])).toEqual([
      [false, 10_000],
      [true, 0],
    ])
  })

  it('pays the deposit of an accepted quote (issue 29)', async () => {
    const client = await clerk()
    const { contactId } = await createCustomer(client)
    const quote = await createSentQuote(client, contactId)
    const token = tokenOf({ kind: 'quote', id: quote.id })
    expect(await refusal(visitor().view({ token }))).toMatchObject({ status: 404 })
    await client.quotes.accept({ id: quote.id, totalCents: quote.totalCents })
    const view = await visitor().view({ token })
    expect(view.lines[0]).toMatchObject({ quoteNumber: quote.number, description: null })
    expect(view).toMatchObject({ kind: 'quote', quoteNumber: quote.number, dueCents: quote.depositCents, openCents: quote.totalCents })
    const { clientSecret } = await start(token, quote.depositCents)
    await confirmWith(stripe, clientSecret)
    await until(async () => (await accountOf(contactId)).balanceCents === quote.totalCents - quote.depositCents)
    const tasks = await till.server.rows('select title from tasks where contact_id = $1', [contactId])
    expect(tasks).toEqual([{ title: `Quote ${quote.number} paid by card: plan what comes next` }])
    const [payment] = stripe.list('payment_intent')
    expect(payment).toMatchObject({ description: `Payment for quote ${quote.number}` })
    expect(JSON.stringify(payment)).not.toContain('Rhinoplasty')
  })

  it('shows what is owed by charge and instalment, and takes any part of it when all is overdue (issue 29)', async () => {
    const client = await clerk()
    const { contactId } = await createCustomer(client)
    const plan = ['2026-09-30', '2026-10-30', '2026-11-28'].map((dueOn) => ({ dueOn, amountCents: 30_000 }))
    await client.collections.addCharge({ contactId, description: 'Mastopexy', amountCents: 90_000, dueOn: plan[0]!.dueOn, plan })
    const token = tokenOf({ kind: 'balance', id: contactId })
    const lines = plan.map(({ dueOn }, index) => ({ instalment: { at: index + 1, of: 3 }, dueOn, openCents: 30_000, description: null }))
    expect(await visitor().view({ token })).toMatchObject({ isFromPortal: false, dueCents: 90_000, openCents: 90_000, lines })
    // Only a patient who has proved who they are reads what staff wrote, which may name a procedure.
    const fromPortal = tokenOf({ kind: 'balance', id: contactId, isFromPortal: true })
    expect(await visitor().view({ token: fromPortal })).toMatchObject({
      isFromPortal: true,
      lines: lines.map((line) => ({ ...line, description: 'Mastopexy' })),
    })
    till.quickBooks.setOffline(true)
    const { clientSecret } = await start(token, 40_000)
    await confirmWith(stripe, clientSecret)
    await until(async () => (await paymentsOf(contactId))[0]!.booking_problem)
    // What the ledger does not know yet is off the lines too.
    expect(await visitor().view({ token })).toMatchObject({
      dueCents: 50_000,
      lines: [
        { instalment: { at: 2, of: 3 }, openCents: 20_000 },
        { instalment: { at: 3, of: 3 }, openCents: 30_000 },
      ],
    })
  })

  it('emails a receipt that says what was paid, how much and with which card, and calls no payment a deposit (issue 29)', async () => {
    const { contactId, token } = await debtor()
    await till.server.rows("update contacts set preferred_language = 'fr' where id = $1", [contactId])
    const [{ email } = { email: '' }] = await till.server.rows<{ email: string }>('select email from contacts where id = $1', [contactId])
    const { clientSecret } = await start(token)
    await confirmWith(stripe, clientSecret)
    const [mail] = await emailsTo(till.server, email)
    expect(mail!.TextBody!.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(
      'Bonjour Éloïse,\n\nNous avons reçu votre paiement de 1 000,00 $ à votre compte. Mode de paiement : Visa se terminant par 4242.\n\nPièce jointe : Reçu',
    )
    const pdf = (await textOfPdf(Buffer.from(mail!.Attachments![0]!.Content, 'base64'))).join(' ')
    expect(pdf).toContain('Paiement à votre compte')
    expect(pdf).not.toContain('Acompte')
    const client = await clerk()
    const receiptId = (await accountOf(contactId)).payments[0]!.receiptId
    const pdfNow = async () => {
      const cookie = await till.server.signIn('billing')
      const answer = await till.server.request(`/api/pos/receipts/${receiptId}.pdf?language=en`, { headers: { cookie } })
      return (await textOfPdf(new Uint8Array(await answer.arrayBuffer()))).join(' ')
    }
    const [charge] = (await accountOf(contactId)).charges
    await client.collections.release({ id: charge!.id, receiptId, amountCents: 25_000 })
    expect(await pdfNow()).toContain('Payment of $750.00 to your account, and a deposit of $250.00 for future treatment')
    await client.collections.release({ id: charge!.id, receiptId, amountCents: 75_000 })
    expect(await pdfNow()).toContain('Deposit for future treatment')
  })

  it('is what a payment reminder leads to, unless too little is left for a card (issue 29)', async () => {
    const { contactId } = await debtor()
    const client = await clerk()
    const [{ email } = { email: '' }] = await till.server.rows<{ email: string }>('select email from contacts where id = $1', [contactId])
    const { subject, text } = await client.collections.reminder({ contactId })
    const [, url = ''] = /To pay or ask a question, use our payment page \((\S+)\)(?:, call .*)? or reply to this email\./.exec(text)!
    expect(await visitor().view({ token: url.split('/pay/')[1]! })).toMatchObject({ kind: 'balance', openCents: 100_000 })
    // Sent later the same day as it was proposed.
    clock.now = new Date(clock.now.getTime() + 3_600_000)
    await client.collections.remind({ contactId, email, subject, text, idempotencyKey: randomUUID() })
    const [mail] = await emailsTo(till.server, email)
    expect(mail).toMatchObject({ TextBody: text, HtmlBody: expect.stringContaining(`<a href="${url}">use our payment page</a>`) })
    const { contactId: other } = await debtor(49)
    expect((await client.collections.reminder({ contactId: other })).text).not.toContain('payment page')
  })

  it('keeps a declined payment open, and says why (issue 29)', async () => {
    const { contactId, token } = await debtor()
    const { clientSecret } = await start(token)
    expect(await confirmWith(stripe, clientSecret, '4000000000009995')).toBe('insufficient_funds')
    expect(await visitor().check({ token })).toMatchObject({
      openCents: 100_000,
      last: { status: 'open', failureCode: 'insufficient_funds' },
    })
    expect(await confirmWith(stripe, clientSecret)).toBe('succeeded')
    expect(await visitor().check({ token })).toMatchObject({ openCents: 0, last: { status: 'paid', failureCode: null } })
    expect(await paymentsOf(contactId)).toHaveLength(1)
  })

  it('continues the payment that is open, and ends it for another amount, so that two pages never both pay (issue 29)', async () => {
    // The page is faster than the events.
    stripe.setDeliveries({ lostShare: 1 })
    const { contactId, token } = await debtor()
    const first = await start(token)
    expect((await start(token)).clientSecret).toBe(first.clientSecret)
    const second = await start(token, 50_000)
    expect(await confirmWith(stripe, first.clientSecret)).toBe('payment_intent_unexpected_state')
    expect(await confirmWith(stripe, second.clientSecret)).toBe('succeeded')
    expect(await refusal(start(token, 50_001))).toMatchObject({ code: 'PAID' })
    await until(async () => (await accountOf(contactId)).balanceCents === 50_000)
    expect((await paymentsOf(contactId)).map(({ status }) => status)).toEqual(['cancelled', 'paid'])
  })

  it('starts one payment for many requests at once (issue 29)', async () => {
    const { contactId, token } = await debtor()
    const key = randomUUID()
    const started = await Promise.all([1, 2, 3, 4, 5].map(() => start(token, 100_000, { key })))
    expect(new Set(started.map(({ clientSecret }) => clientSecret)).size).toBe(1)
    expect(await paymentsOf(contactId)).toHaveLength(1)
    expect(await refusal(start(tokenOf({ kind: 'balance', id: (await debtor()).contactId }), 100_000, { key }))).toMatchObject({
      code: 'KEY_REUSED',
    })
  })

  it('opens the payment again with the same key after Stripe’s answer was lost (issue 29)', async () => {
    const { contactId, token } = await debtor()
    const key = randomUUID()
    stripe.fault({ kind: 'timeoutAfter', match: 'POST /v1/payment_intents$' })
    expect(await refusal(start(token, 100_000, { key }))).toMatchObject({ status: 503, code: 'CARDS_UNAVAILABLE' })
    const before = stripe.list('payment_intent').length
    const { clientSecret } = await start(token, 100_000, { key })
    expect(stripe.list('payment_intent')).toHaveLength(before)
    expect(await confirmWith(stripe, clientSecret)).toBe('succeeded')
    await until(async () => (await accountOf(contactId)).balanceCents === 0)
  })

  it('shows nothing for links that expired, were changed or are of another kind (issue 29)', async () => {
    const { contactId, token } = await debtor()
    const notFound = { status: 404, code: 'NOT_FOUND' }
    const others = [
      `${token}x`,
      token.slice(1),
      tokenOf({ kind: 'quote', id: contactId }),
      tokenOf({ kind: 'balance', id: randomUUID() }),
      tokenOf({ kind: 'balance', id: contactId }, 0),
    ]
    for (const other of others) {
      expect(await refusal(visitor().view({ token: other }))).toMatchObject(notFound)
      expect(await refusal(start(other))).toMatchObject(notFound)
      expect(await refusal(visitor().check({ token: other }))).toMatchObject(notFound)
    }
    expect(await paymentsOf(contactId)).toEqual([])
  })

  it('limits the calls from one network address (issue 29)', async () => {
    const headers = { 'x-forwarded-for': `10.77.0.${requestCount}` }
    const statuses = await Promise.all(
      Array.from({ length: 121 }, async () => (await till.server.request('/api/pay-links/x', { headers })).status),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})

describe('what becomes of a payment', () => {
  it('finds out by itself when the event was lost, and does not book twice (issue 29)', async () => {
    stripe.setDeliveries({ lostShare: 1 })
    const { contactId, customerId, token } = await debtor()
    const { clientSecret } = await start(token)
    await confirmWith(stripe, clientSecret)
    clock.now = new Date(clock.now.getTime() + 3 * 60_000)
    await runWatch()
    await runWatch()
    expect(await accountOf(contactId)).toMatchObject({ balanceCents: 0 })
    expect(receiptsOf(customerId)).toHaveLength(1)
  })

  it('is the same with events doubled, shuffled and late (issue 29)', async () => {
    stripe.setDeliveries({ isDoubled: true, shuffled: 3, seed: 7 })
    const debtors = await Promise.all([debtor(), debtor(), debtor()])
    for (const { token } of debtors) {
      const { clientSecret } = await start(token)
      await confirmWith(stripe, clientSecret, '4000000000000002')
      await confirmWith(stripe, clientSecret)
    }
    await stripe.settled()
    for (const { contactId } of debtors) await until(async () => (await accountOf(contactId)).balanceCents === 0)
    for (const { customerId } of debtors) expect(receiptsOf(customerId)).toHaveLength(1)
    // Events that arrive after everything change nothing.
    for (const event of stripe.events.slice(-10)) expect((await stripe.post(event)).status).toBe(200)
    await untilNoneLeft(till.server, 'cards.follow-payment')
    for (const { contactId } of debtors) expect((await paymentsOf(contactId)).map(({ status }) => status)).toEqual(['paid'])
  })

  it('waits for QuickBooks, is not offered again in the meantime, and is booked once it answers (issue 29)', async () => {
    const { contactId, token } = await debtor()
    till.quickBooks.setOffline(true)
    const { clientSecret } = await start(token)
    await confirmWith(stripe, clientSecret)
    await until(async () => (await paymentsOf(contactId))[0]!.booking_problem)
    expect(await paymentsOf(contactId)).toMatchObject([
      { status: 'paid', booked_at: null, booking_problem: 'QuickBooks has not answered yet' },
    ])
    expect(await accountOf(contactId)).toMatchObject({ balanceCents: 100_000 })
    expect(await visitor().view({ token })).toMatchObject({ openCents: 0, dueCents: 0 })
    till.quickBooks.setOffline(false)
    await makeDue(till.server, "task_id in (select id from graphile_worker._private_tasks where identifier = 'pos.settle-receipt')")
    await untilNoneLeft(till.server, 'pos.settle-receipt')
    await runWatch()
    expect(await accountOf(contactId)).toMatchObject({ balanceCents: 0 })
    expect(await paymentsOf(contactId)).toMatchObject([{ booking_problem: null, booked_at: expect.any(Date) }])
  })

  it('cancels what no one completed within a day (issue 29)', async () => {
    const { contactId, token } = await debtor()
    const { clientSecret } = await start(token)
    clock.now = new Date(clock.now.getTime() + 25 * 3_600_000)
    await runWatch()
    expect(await paymentsOf(contactId)).toMatchObject([{ status: 'cancelled' }])
    expect(await confirmWith(stripe, clientSecret)).toBe('payment_intent_unexpected_state')
  })

  it('keeps the card with the wording that the patient agreed to, only if they did (issue 29)', async () => {
    const { contactId, token } = await debtor()
    const first = await start(token, 50_000)
    await confirmWith(stripe, first.clientSecret)
    await visitor().check({ token })
    const cards = () => till.server.rows('select * from saved_cards where contact_id = $1', [contactId])
    expect(await cards()).toEqual([])
    const second = await start(token, 50_000, { savesCard: true, language: 'fr' })
    await confirmWith(stripe, second.clientSecret)
    await visitor().check({ token })
    expect(await cards()).toMatchObject([
      {
        brand: 'visa',
        last4: '4242',
        expiry_month: 12,
        expiry_year: 2040,
        consent_language: 'fr',
        consent_text: expect.stringContaining('J’autorise'),
      },
    ])
  })
})

describe('giving money back', () => {
  /** A patient who has paid $1,000.00 by card that nothing uses. */
  async function payer() {
    const { contactId, chargeId, token } = await debtor()
    const { clientSecret } = await start(token)
    await confirmWith(stripe, clientSecret)
    await until(async () => (await accountOf(contactId)).balanceCents === 0)
    const client = await clerk()
    const { payments } = await accountOf(contactId)
    const receiptId = payments[0]!.receiptId
    await client.collections.release({ id: chargeId, receiptId, amountCents: 100_000 })
    const { depositAccountId } = await client.pos.receipt({ id: receiptId })
    const refund = (amountCents: number, given: { key?: string; paymentMethod?: string } = {}) =>
      client.pos.refund({
        id: receiptId,
        lines: [0],
        amountCents,
        reason: 'Cancelled',
        depositAccount: depositAccountId,
        idempotencyKey: given.key ?? randomUUID(),
        ...(given.paymentMethod && { paymentMethod: given.paymentMethod }),
      })
    return { contactId, refund }
  }
  const refundsOf = (contactId: string) =>
    till.server.rows<{ status: string; amount_cents: number; problem: string | null }>(
      `select status, amount_cents::int, problem from card_refunds where payment_id in (select id from card_payments where contact_id = $1) order by created_at`,
      [contactId],
    )
  const timelineOf = async (contactId: string) =>
    (await till.server.rows<{ description: string }>('select description from interactions where contact_id = $1', [contactId])).map(
      ({ description }) => description,
    )

  it('refunds to the card what is refunded at the point of sale, once for each (issue 29)', async () => {
    const { contactId, refund } = await payer()
    const before = stripe.list('refund').length
    stripe.fault({ kind: 'timeoutAfter', match: 'POST /v1/refunds' })
    const key = randomUUID()
    await refund(30_000, { key })
    await refund(30_000, { key })
    await makeDue(till.server, "task_id in (select id from graphile_worker._private_tasks where identifier = 'cards.send-refund')")
    await until(async () => {
      await makeDue(till.server, "task_id in (select id from graphile_worker._private_tasks where identifier = 'cards.send-refund')")
      return (await refundsOf(contactId))[0]!.status === 'done'
    })
    await refund(70_000)
    await until(async () => (await refundsOf(contactId)).every(({ status }) => status === 'done'))
    expect(
      stripe
        .list('refund')
        .slice(0, 2)
        .map(({ amount }) => amount),
    ).toEqual([70_000, 30_000])
    expect(stripe.list('refund')).toHaveLength(before + 2)
    expect(await timelineOf(contactId)).toEqual(expect.arrayContaining(['$300.00 refunded to the card', '$700.00 refunded to the card']))
  })

  it('leaves alone what staff give back in another way, and says what Stripe refused (issue 29)', async () => {
    const { contactId, refund } = await payer()
    await refund(10_000, { paymentMethod: 'Cheque' })
    expect(await refundsOf(contactId)).toEqual([])
    stripe.dispute({ payment_intent: stripe.list('payment_intent')[0]!.id })
    await refund(20_000)
    await until(async () => (await refundsOf(contactId))[0]?.status === 'failed')
    expect(await timelineOf(contactId)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\$200\.00 could not be refunded to the card: .*charged back\. Give it back in another way\.$/),
      ]),
    )
  })
})

const reader = stripe.addReader('Front desk')
/** How a sale is paid at the reader. */
const atDesk = async (client: Client) => {
  const { cardAccount } = await client.pos.accounts()
  return { paymentMethod: 'Card terminal', depositAccount: cardAccount! }
}

describe('a card at the desk', () => {
  async function newSaleAtDesk(unitPrice = 12_300) {
    const client = await clerk()
    const customer = await createCustomer(client)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice, taxCode: 'Zero-rated' }])
    return { client, contactId: customer.contactId, sale: { ...sale, ...(await atDesk(client)) } }
  }

  it('is charged at a reader, once, before the receipt is recorded (issue 29)', async () => {
    const { client, contactId, sale } = await newSaleAtDesk()
    expect(await client.cardTerminal.readers()).toEqual([{ id: reader.id, label: 'Front desk', isOnline: true }])
    const { id, status } = await client.cardTerminal.collect({ readerId: reader.id, sale })
    expect(status).toBe('open')
    expect(await client.cardTerminal.collect({ readerId: reader.id, sale })).toMatchObject({ id })
    stripe.present(reader.id, { number: '4000000000000002' })
    expect(await client.cardTerminal.check({ id })).toEqual({ id, status: 'open', failureCode: 'card_declined' })
    await client.cardTerminal.collect({ readerId: reader.id, sale })
    stripe.present(reader.id, { isInterac: true })
    expect(await client.cardTerminal.check({ id })).toEqual({ id, status: 'paid', failureCode: null })
    const { receiptId } = await client.pos.createReceipt(sale)
    expect((await client.pos.receipt({ id: receiptId })).card).toEqual({ brand: 'interac', last4: expect.stringMatching(/^\d{4}$/) })
    await makeDue(till.server, "task_id in (select id from graphile_worker._private_tasks where identifier = 'cards.book-payment')")
    await until(async () => (await paymentsOf(contactId))[0]!.booked_at)
    expect(receiptsOf(sale.customerId)).toHaveLength(1)
    expect(await client.pos.receipt({ id: receiptId })).toMatchObject({
      paymentMethod: 'Card terminal',
      totalCents: 12_300,
      depositAccountName: 'Stripe clearing',
    })
    expect(stripe.list('charge').filter(({ amount, status: state }) => amount === 12_300 && state === 'succeeded')).toHaveLength(1)
  })

  it('leaves a receipt also when the desk is gone after the card was charged (issue 29)', async () => {
    const { client, contactId, sale } = await newSaleAtDesk(4_500)
    await client.cardTerminal.collect({ readerId: reader.id, sale })
    stripe.present(reader.id)
    await until(async () => (await paymentsOf(contactId))[0]!.status === 'paid')
    await runWatch()
    expect(await paymentsOf(contactId)).toMatchObject([{ booked_at: expect.any(Date), booking_problem: null }])
    expect(receiptsOf(sale.customerId)).toMatchObject([{ TotalAmt: 45, PrivateNote: 'Paid by Card terminal' }])
  })

  it('is not charged for a sale that cannot be recorded, at a busy reader, or once it was cancelled (issue 29)', async () => {
    const { client, sale } = await newSaleAtDesk()
    const wrong = { ...sale, total: 1, idempotencyKey: randomUUID() }
    expect(await refusal(client.cardTerminal.collect({ readerId: reader.id, sale: wrong }))).toMatchObject({ code: 'TOTALS_DIFFER' })
    const { accounts, cardAccount } = await client.pos.accounts()
    const elsewhere = { ...sale, idempotencyKey: randomUUID(), depositAccount: accounts.find(({ Id }) => Id !== cardAccount)!.Id }
    expect(await refusal(client.cardTerminal.collect({ readerId: reader.id, sale: elsewhere }))).toMatchObject({
      code: 'INVALID_REFERENCE',
      data: { fields: { depositAccount: 'Cards that a reader takes go to “Stripe clearing”. Choose this account.' } },
    })
    const { id } = await client.cardTerminal.collect({ readerId: reader.id, sale })
    const other = await newSaleAtDesk()
    expect(await refusal(client.cardTerminal.collect({ readerId: reader.id, sale: other.sale }))).toMatchObject({ code: 'READER' })
    expect(await client.cardTerminal.cancel({ id })).toMatchObject({ status: 'cancelled' })
    expect(await client.cardTerminal.collect({ readerId: reader.id, sale: other.sale })).toMatchObject({ status: 'open' })
    stripe.present(reader.id)
    const [payment] = await paymentsOf(other.contactId)
    expect(await client.cardTerminal.cancel({ id: payment!.id })).toMatchObject({ status: 'paid' })
    expect(await refusal(client.cardTerminal.check({ id: randomUUID() }))).toMatchObject({ status: 404 })
  })
})

describe('a card that pays the rest of a gift card', () => {
  const untaxed = { taxCode: 'Out of Scope' }

  /** A sale of $123.00, of which a gift card of $100.00 is to pay a part. */
  async function mixedSale() {
    const client = await clerk()
    const customer = await createCustomer(client)
    await client.pos.createReceipt(await newSale(client, customer, [{ name: 'Gift card', unitPrice: 10_000, ...untaxed }]))
    const [account] = await till.server.rows<{ sealed_code: string }>(
      "select sealed_code from prepaid_accounts where kind = 'gift-card' and customer_id = $1",
      [customer.id],
    )
    const code = codeOf(till.server.running.runtime.env, { sealedCode: account!.sealed_code })!
    const sale = async () => ({
      ...(await newSale(client, customer, [{ name: 'Consultation', unitPrice: 12_300, taxCode: 'Zero-rated' }])),
      ...(await atDesk(client)),
      prepaid: [{ code, amountCents: 10_000 }],
    })
    const left = async () => (await client.prepaid.giftCard({ code })).balanceCents
    return { client, contactId: customer.contactId, code, sale, left }
  }
  const bookNow = async (contactId: string) => {
    await makeDue(till.server, "task_id in (select id from graphile_worker._private_tasks where identifier = 'cards.book-payment')")
    await until(async () => (await paymentsOf(contactId))[0]!.booked_at)
  }

  it('is charged the rest, while the gift card is kept for this sale, and both are recorded once (issue 29)', async () => {
    const { client, contactId, code, sale: newMixed, left } = await mixedSale()
    const sale = await newMixed()
    const { id } = await client.cardTerminal.collect({ readerId: reader.id, sale })
    expect(await client.cardTerminal.collect({ readerId: reader.id, sale })).toMatchObject({ id })
    expect(await left()).toBe(0)
    expect(await refusal(client.pos.createReceipt({ ...(await newMixed()), paymentMethod: 'Visa' }))).toMatchObject({
      data: { fields: { 'prepaid.0.amountCents': 'Only $0.00 is left' } },
    })
    const before = receiptsOf(sale.customerId).length
    const { data: pending } = await client.pos.pending({})
    const waiting = pending.find(({ problem }) => problem === 'Waiting for the card at the reader')!
    expect(await refusal(client.pos.retry({ id: waiting.id }))).toMatchObject({ code: 'PENDING' })
    expect(receiptsOf(sale.customerId)).toHaveLength(before)

    stripe.present(reader.id)
    expect(await client.cardTerminal.check({ id })).toMatchObject({ status: 'paid' })
    const { receiptId } = await client.pos.createReceipt(sale)
    await bookNow(contactId)
    expect(receiptId).toBe(waiting.id)
    expect(receiptsOf(sale.customerId)).toHaveLength(before + 1)
    expect(receiptsOf(sale.customerId)[0]).toMatchObject({ TotalAmt: 23 })
    expect(stripe.list('charge')[0]).toMatchObject({ amount: 2_300, status: 'succeeded' })
    expect(await paymentsOf(contactId)).toMatchObject([{ amount_cents: '2300', receipt_id: receiptId, booking_problem: null }])
    const stored = await till.server.rows('select sale::text from card_payments where receipt_id = $1', [receiptId])
    expect(JSON.stringify(stored)).not.toContain(code)

    const refund = (amountCents: number) =>
      client.pos.receipt({ id: receiptId }).then(({ depositAccountId: depositAccount }) =>
        client.pos.refund({
          id: receiptId,
          lines: [0],
          amountCents,
          reason: 'Cancelled',
          depositAccount,
          paymentMethod: 'Card terminal',
          idempotencyKey: randomUUID(),
        }),
      )
    await refund(10_300)
    expect(await left()).toBe(10_000)
    await until(() => stripe.list('refund').some(({ amount }) => amount === 300))
    await refund(2_000)
    await until(() => stripe.list('refund').some(({ amount }) => amount === 2_000))
    expect(await left()).toBe(10_000)
  })

  it('leaves one receipt also when the desk is gone after the charge (issue 29)', async () => {
    const { client, contactId, sale: newMixed, left } = await mixedSale()
    const sale = await newMixed()
    await client.cardTerminal.collect({ readerId: reader.id, sale })
    stripe.present(reader.id)
    await until(async () => (await paymentsOf(contactId))[0]!.status === 'paid')
    await runWatch()
    expect(await paymentsOf(contactId)).toMatchObject([{ booked_at: expect.any(Date), booking_problem: null }])
    expect(receiptsOf(sale.customerId)[0]).toMatchObject({ TotalAmt: 23 })
    expect(await left()).toBe(0)
  })

  it('gives the gift card back when the card is not charged, from the desk and from Pending (issue 29)', async () => {
    const { client, sale: newMixed, left } = await mixedSale()
    const first = await newMixed()
    await client.cardTerminal.collect({ readerId: reader.id, sale: first })
    expect(await left()).toBe(0)
    expect(await client.cardTerminal.cancel({ id: first.idempotencyKey })).toMatchObject({ status: 'cancelled' })
    expect(await left()).toBe(10_000)
    expect(await refusal(client.pos.createReceipt(first))).toMatchObject({ code: 'CANCELLED' })

    const second = await newMixed()
    const { id } = await client.cardTerminal.collect({ readerId: reader.id, sale: second })
    const { data: pending } = await client.pos.pending({})
    const waiting = pending.find(({ problem }) => problem === 'Waiting for the card at the reader')!
    expect(await client.pos.cancel({ id: waiting.id })).toMatchObject({ state: 'cancelled' })
    expect(await client.cardTerminal.check({ id })).toMatchObject({ status: 'cancelled' })
    expect(await left()).toBe(10_000)
  })

  it('gives the gift card back when the desk cancels while the sale is being stored (issue 29)', async () => {
    const { client, contactId, sale: newMixed, left } = await mixedSale()
    const sale = await newMixed()
    const waiting = () => till.server.rows("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
    const lock = await till.server.hold('select 1 from prepaid_accounts for update')
    const collecting = refusal(client.cardTerminal.collect({ readerId: reader.id, sale }))
    await until(async () => (await paymentsOf(contactId)).length === 1 && (await waiting()).length === 1)
    let isCancelled = false
    const cancelling = client.cardTerminal.cancel({ id: sale.idempotencyKey }).finally(() => (isCancelled = true))
    await until(async () => isCancelled || (await waiting()).length === 2)
    await lock.release()
    expect(await cancelling).toMatchObject({ status: 'cancelled' })
    expect(await collecting).toMatchObject({ code: 'KEY_REUSED' })
    expect(await left()).toBe(10_000)
    const receipts = await till.server.rows('select state from sales_receipts where idempotency_key = $1', [sale.idempotencyKey])
    expect(receipts).toEqual([{ state: 'cancelled' }])
  })

  it('never becomes a receipt when its card was not charged, and can be cancelled under Pending (issue 29)', async () => {
    const { client, sale: newMixed, left } = await mixedSale()
    const sale = await newMixed()
    const { id } = await client.cardTerminal.collect({ readerId: reader.id, sale })
    await till.server.rows("update card_payments set status = 'cancelled' where id = $1", [id])
    const { data: pending } = await client.pos.pending({})
    const { id: receiptId } = pending.find(({ problem }) => problem === 'Waiting for the card at the reader')!
    expect(await refusal(client.pos.retry({ id: receiptId }))).toMatchObject({ code: 'PENDING' })
    expect(await client.pos.cancel({ id: receiptId })).toMatchObject({ state: 'cancelled' })
    expect(await left()).toBe(10_000)
  })

  it('is not asked for when the balance is gone or nothing is left to charge (issue 29)', async () => {
    const { client, contactId, code, sale, left } = await mixedSale()
    const asking = await sale()
    const all = { ...asking, prepaid: [{ code, amountCents: 12_300 }] }
    expect(await refusal(client.cardTerminal.collect({ readerId: reader.id, sale: all }))).toMatchObject({ code: 'AMOUNT' })
    const more = { ...asking, prepaid: [{ code, amountCents: 10_001 }] }
    expect(await refusal(client.cardTerminal.collect({ readerId: reader.id, sale: more }))).toMatchObject({
      data: { fields: { 'prepaid.0.amountCents': 'Only $100.00 is left' } },
    })
    expect(await paymentsOf(contactId)).toEqual([])
    expect(await left()).toBe(10_000)
  })
})

describe('a disputed payment', () => {
  it('gives a task to billing with the deadline, once, and its outcome is on the timeline (issue 29)', async () => {
    await till.server.signIn('billing')
    const { contactId, token } = await debtor()
    const { clientSecret } = await start(token)
    await confirmWith(stripe, clientSecret)
    stripe.setDeliveries({ isDoubled: true })
    const { id } = stripe.dispute({ payment_intent: clientSecret.split('_secret_')[0], reason: 'product_not_received', dueInDays: 9 })
    const timeline = async () =>
      (await till.server.rows<{ description: string }>('select description from interactions where contact_id = $1', [contactId])).map(
        ({ description }) => description,
      )
    await until(async () => (await timeline()).includes('A card payment of $1,000.00 is disputed: product not received'))
    stripe.closeDispute(id as string, 'lost')
    await until(async () => (await timeline()).includes('The dispute was lost: the money is gone'))
    const tasks = await till.server.rows('select title, due_date::text as due, description from tasks where contact_id = $1', [contactId])
    expect(tasks).toEqual([
      {
        title: 'Answer a disputed card payment',
        due: '2026-12-06',
        description: expect.stringMatching(/evidence by 2026-12-08: http.*\/collections\?tab=disputes&dispute=/),
      },
    ])
    expect((await timeline()).filter((line) => /^(A card payment|The dispute)/.test(line))).toHaveLength(2)
  })
})

describe('cards that expire', () => {
  const watch = async () => {
    await till.server.rows("select graphile_worker.add_job('cards.warn-of-expiry')")
    await untilNoneLeft(till.server, 'cards.warn-of-expiry')
    await untilNoneLeft(till.server, 'mail.send')
  }
  async function saved() {
    const { contactId, token } = await debtor()
    const { clientSecret } = await start(token, 100_000, { savesCard: true })
    await confirmWith(stripe, clientSecret)
    await visitor().check({ token })
    const client = await clerk()
    const [shown] = await client.savedCards.ofContact({ contactId })
    expect(shown).toMatchObject({ last4: '4242', consentText: expect.stringContaining('I allow') })
    const [card] = await till.server.rows<{ method_id: string }>('select method_id from saved_cards where contact_id = $1', [contactId])
    const [{ email } = { email: '' }] = await till.server.rows<{ email: string }>('select email from contacts where id = $1', [contactId])
    const warnings = () => till.server.outbox.messages.filter(({ To, Subject }) => To === email && Subject?.includes('expires soon'))
    const expire = (month: number, year: number) =>
      till.server.rows('update saved_cards set expiry_month = $2, expiry_year = $3 where contact_id = $1', [contactId, month, year])
    return { contactId, methodId: card!.method_id, warnings, expire }
  }

  it('are announced to the patient a month before, once (issue 29)', async () => {
    const { methodId, warnings, expire } = await saved()
    await expire(1, 2027)
    stripe.change(methodId, { card: { exp_month: 1, exp_year: 2027 } })
    await watch()
    expect(warnings()).toEqual([])
    await expire(12, 2026)
    stripe.change(methodId, { card: { exp_month: 12, exp_year: 2026 } })
    clock.now = new Date('2026-12-10T15:00:00Z')
    await watch()
    await watch()
    await until(() => warnings().length > 0)
    expect(warnings()).toHaveLength(1)
    expect(warnings()[0]!.TextBody).toContain('The card ending in 4242 that you allowed us to keep expires 12/26.')
  })

  it('are removed here and at Stripe when the patient asks for it (issue 29)', async () => {
    const { contactId, methodId } = await saved()
    const client = await clerk()
    const [{ id } = { id: '' }] = await client.savedCards.ofContact({ contactId })
    stripe.fault({ kind: 'status', status: 503, match: 'detach' })
    expect(await refusal(client.savedCards.remove({ id }))).toMatchObject({ code: 'CARDS_UNAVAILABLE' })
    expect(await client.savedCards.remove({ id })).toEqual([])
    expect(await client.savedCards.remove({ id })).toEqual([])
    expect(stripe.list('payment_method').find((method) => method.id === methodId)).toMatchObject({ customer: null })
  })

  it('are not announced where the bank has replaced them (issue 29)', async () => {
    const { contactId, warnings, expire } = await saved()
    await expire(12, 2026)
    clock.now = new Date('2026-12-10T15:00:00Z')
    await watch()
    expect(warnings()).toEqual([])
    expect(await till.server.rows('select expiry_year from saved_cards where contact_id = $1', [contactId])).toEqual([
      { expiry_year: 2040 },
    ])
  })
})

describe('the webhook of Stripe', () => {
  const send = (payload: string, signature: string) =>
    till.server.request('/api/hooks/stripe', { method: 'POST', body: payload, headers: { 'stripe-signature': signature } })
  const event = (id = `evt_${randomUUID().replaceAll('-', '')}`) =>
    JSON.stringify({
      id,
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object: { id: 'pi_foreign', object: 'payment_intent' } },
    })
  const sign = (payload: string, secret = stripe.webhookSecret, at = clock.now) => signatureOf(secret, at.getTime() / 1_000, payload)

  it('accepts each signed event once, also of payments that are not ours (issue 29)', async () => {
    const payload = event()
    for (const _ of [1, 2]) expect((await send(payload, sign(payload))).status).toBe(200)
    const { id } = JSON.parse(payload) as { id: string }
    expect(await till.server.rows('select 1 from stripe_events where id = $1', [id])).toHaveLength(1)
    await untilNoneLeft(till.server, 'cards.follow-payment')
  })

  it('refuses what is unsigned, signed by another, old or too large (issue 29)', async () => {
    const payload = event()
    const old = new Date(clock.now.getTime() - 301_000)
    for (const signature of ['', 'x'.repeat(10_000), sign(payload, 'whsec_another'), sign(payload, stripe.webhookSecret, old)]) {
      expect((await send(payload, signature)).status).toBe(401)
    }
    expect((await send(`${payload} `, sign(payload))).status).toBe(401)
    const large = 'x'.repeat(256 * 1024 + 1)
    expect((await send(large, sign(large))).status).toBe(413)
    expect((await send('[]', sign('[]'))).status).toBe(401)
  })
})
