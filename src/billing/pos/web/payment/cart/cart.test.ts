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
  it('adds an item with its price in cents and a quantity of 1', () => {
    expect(cartOf(gel)).toEqual([
      {
        itemId: '7',
        name: gel.name,
        description: gel.description,
        unitPrice: 4_895,
        quantity: 1,
        taxCodeId: '2',
        exemptReason: '',
        place: 1,
      },
    ])
  })

  it('raises the quantity by 1 when an item is added again, and keeps edits to its line (spec 9)', () => {
    const dearer = changeCart(cartOf(gel, room), { do: 'change', itemId: '7', change: { unitPrice: 5_000, taxCodeId: '6' } })
    const again = changeCart(dearer, { do: 'add', item: gel, taxCodeId: '2' })
    expect(again.map(({ itemId, quantity, unitPrice, taxCodeId }) => [itemId, quantity, unitPrice, taxCodeId])).toEqual([
      ['7', 2, 5_000, '6'],
      ['9', 1, 81_500, '2'],
    ])
  })

  it('describes a package with its last day (issue 29)', () => {
    const describePackage = (expiresOn: string | null) => {
      const sold = { itemId: '7', itemName: gel.name, sessions: 6, expiresOn }
      return changeCart([], { do: 'package', item: room, taxCodeId: '2', unitPrice: 90_000, sold })[0]!.description
    }
    expect([describePackage(null), describePackage('2027-01-01')]).toEqual([
      '6 sessions of Silicone scar gel',
      '6 sessions of Silicone scar gel, until Jan 1, 2027',
    ])
  })

  it.each([0, -3])('removes the line at a quantity of %i (spec 5)', (quantity) => {
    expect(changeCart(cartOf(gel, room), { do: 'quantity', itemId: '7', quantity }).map(({ itemId: left }) => left)).toEqual(['9'])
  })

  it('caps the quantity at the server’s maximum', () => {
    expect(changeCart(cartOf(gel), { do: 'quantity', itemId: '7', quantity: 50_000 })[0]?.quantity).toBe(9_999)
  })

  it('removes a line and leaves the others', () => {
    expect(changeCart(cartOf(gel, room), { do: 'remove', itemId: '9' })).toEqual(cartOf(gel))
  })

  describe('restoring a removed line', () => {
    const visit = { ...gel, qbItemId: '11', name: 'Follow-up visit' }
    const full = cartOf(gel, room, visit)
    const remove = (cart: readonly CartItem[], ...ids: string[]) =>
      ids.reduce((left, itemId) => changeCart(left, { do: 'remove', itemId }), cart)
    const restore = (cart: readonly CartItem[], ...ids: string[]) =>
      ids.reduce((left, id) => changeCart(left, { do: 'restore', line: full.find(({ itemId }) => itemId === id)! }), cart)
    const orders = [
      ['7', '9', '11'],
      ['7', '11', '9'],
      ['9', '7', '11'],
      ['9', '11', '7'],
      ['11', '7', '9'],
      ['11', '9', '7'],
    ]

    it.each(orders)('restores it unchanged to its place after removing %s, %s, %s', (...ids) => {
      for (const back of orders) expect(restore(remove(full, ...ids), ...back)).toEqual(full)
    })

    it('restores it before later lines, or adds its quantity to a line with the same item', () => {
      const added = changeCart(remove(full, '11'), { do: 'add', item: { ...gel, qbItemId: '13' }, taxCodeId: '2' })
      expect(restore(added, '11').map(({ itemId }) => itemId)).toEqual(['7', '9', '11', '13'])
      const again = changeCart(remove(full, '9'), { do: 'add', item: room, taxCodeId: '6' })
      expect(restore(again, '9').map(({ itemId, quantity, taxCodeId }) => [itemId, quantity, taxCodeId])).toEqual([
        ['7', 1, '2'],
        ['11', 1, '2'],
        ['9', 2, '6'],
      ])
    })
  })
})

describe('the tax code of a new line', () => {
  it('is the item’s, else the practice’s, else the first', () => {
    expect(firstTaxCode({ ...gel, taxCodeRef: '6' }, codes, '2')).toBe('6')
    expect(firstTaxCode(room, codes, '8')).toBe('8')
    expect(firstTaxCode({ ...gel, taxCodeRef: 'gone' }, codes, null)).toBe('2')
    expect(firstTaxCode(gel, [], '2')).toBeNull()
  })
})

it('uses the named rates of spec 9, otherwise the first listed rate', () => {
  const cart = cartOf(gel, room).map((line, index) => ({ ...line, taxCodeId: ['6', '8'][index]! }))
  expect(linesOf(cart, codes).map(({ rate }) => rate)).toEqual([0, 99_750])
  expect(cart.map((line) => isExempt(line, codes))).toEqual([true, false])
})
