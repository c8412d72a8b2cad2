import { describe, expect, it } from 'vitest'
import { outcomeOf, type Thrown } from './outcome.ts'

const thrown = (given: Partial<Thrown>): Thrown => ({ status: 0, code: null, message: 'Told', data: undefined, ...given })
const receiptId = '0190c3a4-0000-7000-8000-000000000001'
const pending = outcomeOf(thrown({ status: 503, code: 'PENDING', data: { receiptId, isUncertain: false } }), null)
const lost = outcomeOf(thrown({}), null)

describe('what came of asking for a receipt', () => {
  it('issue 6: QuickBooks away leaves the receipt pending, certain or not as the server says', () => {
    expect(pending).toEqual({ kind: 'open', why: 'away', receiptId, isUncertain: false })
    expect(outcomeOf(thrown({ status: 503, code: 'PENDING', data: { receiptId, isUncertain: true } }), null)).toMatchObject({
      isUncertain: true,
    })
  })

  it('issue 6: without an answer no one knows, so it stays open and is not put into the hands of a new key', () => {
    for (const status of [0, 500, 502, 504]) {
      expect(outcomeOf(thrown({ status }), null)).toEqual({ kind: 'open', why: 'lost', receiptId: null, isUncertain: true })
    }
  })

  it('remembers the receipt that the server had told of when the next answer is lost', () => {
    expect(outcomeOf(thrown({}), pending)).toEqual({ kind: 'open', why: 'lost', receiptId, isUncertain: true })
  })

  it('spec 4: a refusal returns to set-up with its reason and what it says of single fields, each once', () => {
    const data = {
      fields: { 'lineItems.0.x': 'This item is not known in QuickBooks', 'lineItems.1.x': 'This item is not known in QuickBooks' },
    }
    expect(outcomeOf(thrown({ status: 422, code: 'INVALID_REFERENCE', data }), null)).toEqual({
      kind: 'refused',
      reasons: ['Told', 'This item is not known in QuickBooks'],
    })
    expect(outcomeOf(thrown({ status: 403, code: 'FORBIDDEN' }), null).kind).toBe('refused')
  })

  it('a refusal that says nothing of the key settles nothing that was open before', () => {
    expect(outcomeOf(thrown({ status: 429, code: 'TOO_MANY_REQUESTS' }), lost)).toMatchObject({ kind: 'open' })
    expect(outcomeOf(thrown({ status: 422, code: 'REFUSED', data: { receiptId } }), lost).kind).toBe('refused')
    expect(outcomeOf(thrown({ status: 409, code: 'CANCELLED' }), pending).kind).toBe('refused')
  })

  it('a connection that QuickBooks no longer accepts keeps the receipt', () => {
    expect(outcomeOf(thrown({ status: 409, code: 'RECONNECT', data: { receiptId } }), null)).toMatchObject({
      kind: 'open',
      why: 'reconnect',
      receiptId,
    })
  })
})
