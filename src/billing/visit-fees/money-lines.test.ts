import { describe, expect, it } from 'vitest'
import { moneyAfter, type VisitBalance } from './money-lines.ts'

const visa = { brand: 'visa', last4: '4242' }
const amex = { brand: 'amex', last4: '0005' }
const paid = (cents: number, feeCents: number, isReturned: boolean) => ({ cents, card: visa, feeCents, isReturned })
const fee = (amountCents: number, state: 'charging' | 'settled' | 'refused' | 'waived', openCents = 0) =>
  ({ kind: 'late_cancel', amountCents, state, openCents }) as const
const balance = (given: Partial<VisitBalance>): VisitBalance => ({ deposit: null, card: amex, due: null, fee: null, ...given })

describe('what a patient reads about the money of a cancelled or missed visit (issue 29)', () => {
  it.each<[string, Partial<VisitBalance>, string]>([
    [
      'a deposit that goes back',
      { deposit: paid(7_500, 0, true) },
      'You paid a deposit of $75.00 with your Visa ending in 4242. The full amount goes back to that card. Banks take a few days to show it.',
    ],
    [
      'a fee to decide about',
      { deposit: paid(7_500, 0, false), due: { amountCents: 5_000 } },
      'You paid a deposit of $75.00 with your Visa ending in 4242. As you agreed when you booked, there may be a fee of $50.00 for cancelling late. We will write to you once that is decided. Until then, we keep the deposit.',
    ],
    [
      'a fee below the deposit',
      { deposit: paid(7_500, 5_000, true), fee: fee(5_000, 'settled') },
      'You paid a deposit of $75.00 with your Visa ending in 4242. As you agreed when you booked, there is a fee of $50.00 for cancelling late. It is taken from the deposit. The rest, $25.00, goes back to your Visa ending in 4242. Banks take a few days to show it.',
    ],
    [
      'a fee above the deposit',
      { deposit: paid(7_500, 7_500, true), fee: fee(10_000, 'charging') },
      'You paid a deposit of $75.00 with your Visa ending in 4242. As you agreed when you booked, there is a fee of $100.00 for cancelling late. Your deposit covers $75.00. $25.00 is charged to your American Express ending in 0005.',
    ],
    [
      'a fee without a deposit',
      { fee: fee(5_000, 'settled') },
      'As you agreed when you booked, there is a fee of $50.00 for cancelling late. $50.00 was charged to your American Express ending in 0005.',
    ],
    [
      'a refused card',
      { deposit: paid(7_500, 7_500, true), fee: fee(10_000, 'refused', 2_500) },
      'You paid a deposit of $75.00 with your Visa ending in 4242. As you agreed when you booked, there is a fee of $100.00 for cancelling late. Your deposit covers $75.00. $25.00 is still to be paid.',
    ],
    [
      'a fee that was waived',
      { deposit: paid(7_500, 0, true), fee: fee(5_000, 'waived') },
      'You paid a deposit of $75.00 with your Visa ending in 4242. We charge no fee, and nothing is due. The full amount goes back to that card. Banks take a few days to show it.',
    ],
  ])('explains %s', (_, given, text) => {
    expect(moneyAfter(balance(given), 'en').join(' ')).toBe(text)
  })

  it('says it in French too', () => {
    const lines = moneyAfter(balance({ deposit: paid(7_500, 5_000, true), fee: fee(5_000, 'settled') }), 'fr')
    expect(lines.join(' ').replaceAll('\u00a0', ' ')).toBe(
      'Vous avez payé un acompte de 75,00 $ avec votre carte Visa se terminant par 4242. Comme vous l’avez accepté à la réservation, des frais de 50,00 $ s’appliquent à l’annulation tardive. Ils sont pris sur l’acompte. Le reste, 25,00 $, est remboursé sur votre carte Visa se terminant par 4242. Les banques mettent quelques jours à l’afficher.',
    )
  })
})
