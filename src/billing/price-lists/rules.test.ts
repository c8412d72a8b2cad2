import { describe, expect, it } from 'vitest'
import { defaultPrices } from './rules.ts'

const rhinoplasty = { name: 'Rhinoplasty', priceCents: 620_000, minutes: 150, taxCodeId: '2', isSurgical: true }

describe('default price list of a procedure', () => {
  it('has surgeon, facility, anaesthesia and implants, with the procedure’s price, duration and tax code', () => {
    expect(defaultPrices(rhinoplasty)).toEqual([
      { kind: 'surgeon', description: 'Rhinoplasty, surgeon’s fee', quantity: 1, unitPriceCents: 620_000, taxCodeId: '2' },
      { kind: 'facility', description: 'Operating room and recovery, 2 h 30 min', quantity: 1, unitPriceCents: null, taxCodeId: '2' },
      { kind: 'anaesthesia', description: 'Anaesthesia', quantity: 1, unitPriceCents: null, taxCodeId: '2' },
      { kind: 'implants', description: 'Implants', quantity: 1, unitPriceCents: null, taxCodeId: '2' },
    ])
  })

  it('omits an unknown duration, and has a single fee for procedures outside the operating room', () => {
    expect(defaultPrices({ ...rhinoplasty, minutes: null })[1]!.description).toBe('Operating room and recovery')
    expect(defaultPrices({ ...rhinoplasty, name: 'Filler', isSurgical: false })).toEqual([
      { kind: 'surgeon', description: 'Filler', quantity: 1, unitPriceCents: 620_000, taxCodeId: '2' },
    ])
  })
})
