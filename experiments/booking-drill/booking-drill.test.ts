import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { stripeCredentials } from '../../simulators/stripe/server.ts'
import { copyTemplate } from '../../test/database.ts'
import { drill } from './drill.ts'
import { type Books, reconcile } from './reconcile.ts'

const whats = {
  charged: 'no booking was charged twice',
  kept: 'each payment has a visit, or went back in full',
  agreed: 'each visit was paid as agreed',
  books: 'ledger, Stripe and QuickBooks agree to the cent, for each patient and in total',
}

it(
  'runs the experiment in small: through kills and lost answers no time and no charge is doubled, and the books agree, and planted differences are named (issue 29)',
  { timeout: 180_000 },
  async () => {
    const database = await copyTemplate(inject('postgres'))
    const owner = new pg.Client({ connectionString: database.url })
    try {
      const size = { patients: 20, slots: 4, kills: 2, lostShare: 0.3, seed: 29 }
      const { figures, found } = await drill({ ...size, databaseUrl: database.url, owner }, async (books) => {
        const lines = await reconcile(books)
        await plantDifferences(books)
        return lines
      })
      expect(found.filter(({ isHeld }) => !isHeld)).toEqual([])
      expect(figures).toMatchObject({ kills: 2, missing: 0 })
      expect(figures.paid).toBeGreaterThanOrEqual(size.slots)
    } finally {
      await database.drop()
    }
  },
)

/** Plants one difference after the other in books that agree, and expects that each is named, with the lines that no longer hold. */
async function plantDifferences(books: Books): Promise<void> {
  const { owner, stripeUrl } = books
  // The drill is over: no answer to us is lost.
  await fetch(`${stripeUrl}/_control/faults`, { method: 'DELETE' })
  const broken = async () =>
    Object.fromEntries((await reconcile(books)).filter(({ isHeld }) => !isHeld).map(({ what, differences }) => [what, differences]))
  const { rows } = await owner.query<Record<'booking' | 'payment' | 'receipt' | 'charge' | 'visit' | 'name', string>>(
    `select terms.id as booking, payment.id as payment, payment.receipt_id as receipt, payment.stripe_charge_id as charge, visit.id as visit,
       contact.last_name as name
     from visit_terms as terms join card_payments as payment on payment.reference_id = terms.id and payment.status = 'paid'
     join appointments as visit on visit.id = terms.appointment_id join contacts as contact on contact.id = visit.contact_id
     where visit.status <> 'cancelled' limit 1`,
  )
  const [{ booking, payment, receipt, charge, visit, name }] = rows as [(typeof rows)[0]]
  const isOfPatient = expect.stringContaining(`${name} (`)

  const addCents = (cents: number) =>
    owner.query('update sales_receipts set total_cents = total_cents + $2, subtotal_cents = subtotal_cents + $2 where id = $1', [
      receipt,
      cents,
    ])
  await addCents(1)
  expect(await broken()).toEqual({ [whats.books]: [expect.stringMatching(/^in total: ledger /), isOfPatient] })
  expect((await broken())[whats.books]![1]).toContain('ledger $75.01 − $0.00, Stripe $75.00 − $0.00, QuickBooks $75.00 − $0.00')
  await addCents(-1)

  const change = (amount: number) =>
    fetch(`${stripeUrl}/_control/objects`, { method: 'POST', body: JSON.stringify({ id: charge, fields: { amount } }) })
  await change(7_499)
  expect(await broken()).toEqual({
    [whats.agreed]: [`booking ${booking}: $74.99 was paid, $75.00 agreed`],
    [whats.books]: [expect.stringMatching(/^in total: /), isOfPatient],
  })
  await change(7_500)

  await owner.query(`update appointments set status = 'cancelled', cancel_reason = 'Is ill' where id = $1`, [visit])
  expect(await broken()).toEqual({ [whats.kept]: [`booking ${booking}: $0.00 of $75.00 went back, and it has no visit`] })
  await owner.query(`update appointments set status = 'booked', cancel_reason = null where id = $1`, [visit])

  expect(await broken()).toEqual({})
  const charged = await fetch(`${stripeUrl}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeCredentials.secretKey}` },
    body: new URLSearchParams({
      amount: '7500',
      currency: 'cad',
      confirm: 'true',
      payment_method: 'pm_card_visa',
      'metadata[reference]': payment,
    }),
  })
  expect(charged.status).toBe(200)
  expect(await broken()).toEqual({
    [whats.charged]: [`booking ${booking} has 2 charges: $75.00, $75.00`],
    [whats.agreed]: [`booking ${booking}: $150.00 was paid, $75.00 agreed`],
    [whats.books]: [expect.stringMatching(/^in total: /), isOfPatient],
  })
}
