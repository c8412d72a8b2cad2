/** What came of asking for a receipt, as far as the answer says. */
export type Outcome =
  /** There is certainly no receipt: it can be put right and asked for again. */
  | { kind: 'refused'; reasons: string[] }
  /**
   * There may be one, now or later: asked for again it must be under the same key. `receiptId`: the server keeps it and records it by itself.
   * `isUncertain`: QuickBooks may have it already; null while no one knows here.
   */
  | { kind: 'open'; why: 'away' | 'lost' | 'reconnect'; receiptId: string | null; isUncertain: boolean | null }

/** The parts of what was thrown that decide it. `status` 0: no answer came. */
export interface Thrown {
  status: number
  code: string | null
  message: string
  data: unknown
}

const receiptIdIn = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'receiptId' in data && typeof data.receiptId === 'string' ? data.receiptId : null

/** Refusals that speak of this very key: whatever was lost before, there is no receipt under it. */
const speakOfTheKey = ['REFUSED', 'CANCELLED', 'INVALID_REFERENCE', 'TOTALS_DIFFER', 'NOT_CONNECTED']

/** `before`: what the same key came to when it was tried the last time; null the first time. */
export function outcomeOf(thrown: Thrown, before: Outcome | null): Outcome {
  const { status, code, message, data } = thrown
  const kept = before?.kind === 'open' ? before.receiptId : null
  const receiptId = receiptIdIn(data) ?? kept
  if (code === 'PENDING') {
    const isCertain = typeof data === 'object' && data !== null && 'isUncertain' in data && data.isUncertain === false
    return { kind: 'open', why: 'away', receiptId, isUncertain: !isCertain }
  }
  if (code === 'RECONNECT') return { kind: 'open', why: 'reconnect', receiptId, isUncertain: null }
  const isRefusal = status >= 400 && status < 500 && (before === null || speakOfTheKey.includes(code ?? ''))
  if (isRefusal) return { kind: 'refused', reasons: [message, ...fieldsIn(data)] }
  return { kind: 'open', why: 'lost', receiptId, isUncertain: true }
}

function fieldsIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null || !('fields' in data)) return []
  const { fields } = data
  if (typeof fields !== 'object' || fields === null) return []
  return [...new Set(Object.values(fields).filter((text): text is string => typeof text === 'string'))]
}
