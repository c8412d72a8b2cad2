import { createHash } from 'node:crypto'

/** Returns SHA-256 in hexadecimal, independent of field order. */
export function hashPayload(payload: unknown): string {
  const sorted = (_name: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return createHash('sha256')
    .update(JSON.stringify(payload, sorted) ?? '')
    .digest('hex')
}
