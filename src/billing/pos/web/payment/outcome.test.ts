import { describe, expect, it } from 'vitest'
import { outcomeOf, type Thrown } from './outcome.ts'

const thrown = (given: Partial<Thrown>): Thrown => ({ status: 0, code: null, message: 'Server message', data: undefined, ...given })
const receiptId = '0190c3a4-0000-7000-8000-000000000001'
const pending = outcomeOf(thrown({ status: 503, code: 'PENDING', data: { receiptId, isUncertain: false } }), null)
const lost = outcomeOf(thrown({}), null)

describe('outcome of a receipt request', () => {
  it('is pending while QuickBooks is down, uncertain if the server says so', () => {
    expect(pending).toEqual({ kind: 'open', why: 'away', receiptId, isUncertain: false })
    expect(outcomeOf(thrown({ status: 503, code: 'PENDING', data: { receiptId, isUncertain: true } }), null)).toMatchObject({
      isUncertain: true,
    })
  })

  it('is unknown without a response, so the same key is kept', () => {
    for (const status of [0, 500, 502, 504]) {
      expect(outcomeOf(thrown({ status }), null)).toEqual({ kind: 'open', why: 'lost', receiptId: null, isUncertain: true })
    }
  })

  it('remembers the receipt from an earlier response when the next one is lost', () => {
    expect(outcomeOf(thrown({}), pending)).toEqual({ kind: 'open', why: 'lost', receiptId, isUncertain: true })
  })

  it('returns to setup after a refusal, with the reason and field messages, each once (spec 4)', () => {
    const data = {
      fields: { 'lineItems.0.x': 'This item was not found in QuickBooks', 'lineItems.1.x': 'This item was not found in QuickBooks' },
    }
    expect(outcomeOf(thrown({ status: 422, code: 'INVALID_REFERENCE', data }), null)).toEqual({
      kind: 'refused',
      reasons: ['Server message', 'This item was not found in QuickBooks'],
    })
    expect(outcomeOf(thrown({ status: 403, code: 'FORBIDDEN' }), null).kind).toBe('refused')
  })

  it('stays unknown after a refusal that does not concern the key', () => {
    expect(outcomeOf(thrown({ status: 429, code: 'TOO_MANY_REQUESTS' }), lost)).toMatchObject({ kind: 'open' })
    expect(outcomeOf(thrown({ status: 422, code: 'REFUSED', data: { receiptId } }), lost).kind).toBe('refused')
    expect(outcomeOf(thrown({ status: 409, code: 'CANCELLED' }), pending).kind).toBe('refused')
  })

  it('keeps the receipt when QuickBooks no longer accepts the connection', () => {
    expect(outcomeOf(thrown({ status: 409, code: 'RECONNECT', data: { receiptId } }), null)).toMatchObject({
      kind: 'open',
      why: 'reconnect',
      receiptId,
    })
  })
})
