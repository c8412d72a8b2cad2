import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal. The same for two payloads that differ in the order of their fields alone. */
export function hashPayload(payload: unknown): string {
  const sorted = (_name: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return createHash('sha256')
    .update(JSON.stringify(payload, sorted) ?? '')
    .digest('hex')
}
