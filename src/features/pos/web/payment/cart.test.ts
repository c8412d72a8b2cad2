import { describe, expect, it } from 'vitest'
import { type CartItem, changeCart, firstTaxCode, isExempt, linesOf } from './cart.ts'

const gel = { qbItemId: '7', name: 'Silicone scar gel', description: 'Silicone scar gel', unitPrice: 48.95, taxCodeRef: '2' }
const room = { qbItemId: '9', name: 'Operating room, per hour', description: null, unitPrice: 815, taxCodeRef: null }
const codes = [
  { Id: '2', Name: 'HST ON', SalesTaxRateList: [{ RateValue: 13 }] },
  { Id: '6', Name: 'Exempt', SalesTaxRateList: [{ RateValue: 0 }] },
  { Id: '8', Name: 'QST 9.975%', SalesTaxRateList: [{ RateValue: 9.975 }] },
]
const cartOf = (...items: (typeof gel | typeof room)[]) =>
  items.reduce<readonly CartItem[]>((cart, item) => changeCart(cart, { do: 'add', item, taxCodeId: '2' }), [])

describe('the cart', () => {
  it('takes an item with its price in cents and a quantity of 1', () => {
    expect(cartOf(gel)).toEqual([
      { itemId: '7', name: gel.name, description: gel.description, unitPrice: 4_895, quantity: 1, taxCodeId: '2', exemptReason: '' },
    ])
  })

  it('spec 9: the same item again raises its quantity by 1 and keeps what was changed in its line', () => {
    const dearer = changeCart(cartOf(gel, room), { do: 'change', itemId: '7', change: { unitPrice: 5_000, taxCodeId: '6' } })
    const again = changeCart(dearer, { do: 'add', item: gel, taxCodeId: '2' })
    expect(again.map(({ itemId, quantity, unitPrice, taxCodeId }) => [itemId, quantity, unitPrice, taxCodeId])).toEqual([
      ['7', 2, 5_000, '6'],
      ['9', 1, 81_500, '2'],
    ])
  })

  it.each([0, -3])('spec 5: a quantity of %i removes the line', (quantity) => {
    expect(changeCart(cartOf(gel, room), { do: 'quantity', itemId: '7', quantity })).toEqual(cartOf(room))
  })

  it('holds a quantity at the most that the server takes', () => {
    expect(changeCart(cartOf(gel), { do: 'quantity', itemId: '7', quantity: 50_000 })[0]?.quantity).toBe(9_999)
  })

  it('removes a line and leaves the others', () => {
    expect(changeCart(cartOf(gel, room), { do: 'remove', itemId: '9' })).toEqual(cartOf(gel))
  })
})

describe('the tax code of a new line', () => {
  it('is the item’s own, else the practice’s, else the first', () => {
    expect(firstTaxCode({ ...gel, taxCodeRef: '6' }, codes, '2')).toBe('6')
    expect(firstTaxCode(room, codes, '8')).toBe('8')
    expect(firstTaxCode({ ...gel, taxCodeRef: 'gone' }, codes, null)).toBe('2')
    expect(firstTaxCode(gel, [], '2')).toBeNull()
  })
})

it('works with the rates of spec 9 by name, otherwise with the first that is listed', () => {
  const cart = cartOf(gel, room).map((line, index) => ({ ...line, taxCodeId: ['6', '8'][index]! }))
  expect(linesOf(cart, codes).map(({ rate }) => rate)).toEqual([0, 99_750])
  expect(cart.map((line) => isExempt(line, codes))).toEqual([true, false])
})
