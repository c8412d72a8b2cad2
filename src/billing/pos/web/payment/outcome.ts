/** The outcome of a receipt request, as far as the response tells. */
export type Outcome =
  /** There is certainly no receipt: the user can correct the sale and try again. */
  | { kind: 'refused'; reasons: string[] }
  /**
   * There may be a receipt, now or later: a retry must use the same key. `receiptId`: the server has stored it and retries by itself.
   * `isUncertain`: QuickBooks may already have it; null while unknown.
   */
  | { kind: 'open'; why: 'away' | 'lost' | 'reconnect'; receiptId: string | null; isUncertain: boolean | null }

/** The parts of the error that decide the outcome. `status` 0: no response. */
export interface Thrown {
  status: number
  code: string | null
  message: string
  data: unknown
}

const receiptIdIn = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'receiptId' in data && typeof data.receiptId === 'string' ? data.receiptId : null

/** Refusals about this key: even if an earlier response was lost, it has no receipt. */
const keyRefusals = ['REFUSED', 'CANCELLED', 'INVALID_REFERENCE', 'TOTALS_DIFFER', 'NOT_CONNECTED']

/** `before`: the outcome of the previous attempt with the same key; null the first time. */
export function outcomeOf(thrown: Thrown, before: Outcome | null): Outcome {
  const { status, code, message, data } = thrown
  const kept = before?.kind === 'open' ? before.receiptId : null
  const receiptId = receiptIdIn(data) ?? kept
  if (code === 'PENDING') {
    const isCertain = typeof data === 'object' && data !== null && 'isUncertain' in data && data.isUncertain === false
    return { kind: 'open', why: 'away', receiptId, isUncertain: !isCertain }
  }
  if (code === 'RECONNECT') return { kind: 'open', why: 'reconnect', receiptId, isUncertain: null }
  const isRefusal = status >= 400 && status < 500 && (before === null || keyRefusals.includes(code ?? ''))
  if (isRefusal) return { kind: 'refused', reasons: [message, ...fieldsIn(data)] }
  return { kind: 'open', why: 'lost', receiptId, isUncertain: true }
}

function fieldsIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null || !('fields' in data)) return []
  const { fields } = data
  if (typeof fields !== 'object' || fields === null) return []
  return [...new Set(Object.values(fields).filter((text): text is string => typeof text === 'string'))]
}
