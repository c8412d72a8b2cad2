import { describe, expect, it } from 'vitest'
import { cartOfQuote, type QuotedLine } from './quoted-cart.ts'

const item = (id: string) => ({ id, name: `Item ${id}` })
const line = (words: string, unitPriceCents: number, given: Partial<QuotedLine> = {}): QuotedLine => ({
  words,
  quantity: 1,
  unitPriceCents,
  taxCodeId: '2',
  exemptReason: null,
  item: item(words),
  ...given,
})
const facts = (lines: QuotedLine[]) =>
  cartOfQuote(lines).cart.map(({ itemId, description, quantity, unitPrice }) => [itemId, description, quantity, unitPrice])

describe('the cart of a quote', () => {
  it('has each line with its QuickBooks item, in order, with the reason if exempt', () => {
    const { cart, left } = cartOfQuote([line('a', 100, { quantity: 3 }), line('b', 5, { taxCodeId: '6', exemptReason: 'Referred' })])
    expect(cart).toEqual([
      { itemId: 'a', name: 'Item a', description: 'a', unitPrice: 100, quantity: 3, taxCodeId: '2', exemptReason: '', place: 1 },
      { itemId: 'b', name: 'Item b', description: 'b', unitPrice: 5, quantity: 1, taxCodeId: '6', exemptReason: 'Referred', place: 2 },
    ])
    expect(left).toEqual([])
  })

  it('merges lines with the same item into one with their sum', () => {
    const same = { item: item('x') }
    expect(facts([line('a', 100, same), line('b', 100, { ...same, quantity: 2 })])).toEqual([['x', 'a; b', 3, 100]])
    expect(facts([line('a', 100, same), line('b', 50, { ...same, quantity: 2 })])).toEqual([['x', 'a; b', 1, 200]])
  })

  it('lists lines it cannot sell: without an item, or with an item under two tax codes', () => {
    const { cart, left } = cartOfQuote([
      line('a', 100),
      line('b', 100, { item: null }),
      line('c', 100, { item: item('a'), taxCodeId: '6' }),
    ])
    expect(cart.map(({ itemId }) => itemId)).toEqual(['a'])
    expect(left).toEqual(['b', 'c'])
  })
})
