/** JSON that does not depend on the order of fields, to compare, hash or sign a value. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted) ?? ''

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
