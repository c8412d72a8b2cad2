/** Reads bodies and queries as Stripe does: form-encoded, with brackets for what is nested. */
import { z } from 'zod'

type Nested = { [name: string]: Nested | string }

/** `card[number]=4242&types[0]=card` is { card: { number: '4242' }, types: ['card'] }. */
export function parseForm(params: URLSearchParams): unknown {
  const root: Nested = Object.create(null) as Nested
  for (const [name, value] of params) {
    const path = [...name.matchAll(/^[^[]+|\[([^\]]*)\]/g)].map((part) => part[1] ?? part[0])
    let at = root
    for (const part of path.slice(0, -1)) {
      const next = at[part]
      at = typeof next === 'object' ? next : (at[part] = Object.create(null) as Nested)
    }
    // `types[]=card` appends.
    at[path.at(-1) || String(Object.keys(at).length)] = value
  }
  return withArrays(root)
}

function withArrays(value: Nested | string): unknown {
  if (typeof value === 'string') return value
  const entries = Object.entries(value).map(([name, part]) => [name, withArrays(part)] as const)
  const isArray = entries.length > 0 && entries.every(([name], at) => name === String(at))
  return isArray ? entries.map(([, part]) => part) : Object.fromEntries(entries)
}

/** Parameters, which arrive as text. */
export const whole = z.coerce.number().int()
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
export const text = z.string()
export const texts = z.array(z.string())
export const metadata = z.union([z.record(z.string(), z.string()), z.literal('').transform(() => ({}))])
/** A time range of a list, in seconds. */
export const range = z.union([
  whole.transform((at) => ({ gte: at, lte: at })),
  z.strictObject({ gte: whole, gt: whole, lte: whole, lt: whole }).partial(),
])
