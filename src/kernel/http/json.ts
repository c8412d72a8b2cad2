const dayLength = 86_400_000
/** The date of days since 1970, as in ISO 8601. */
const days = new Map<number, string>()
const maxDays = 10_000
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))
const threeDigits = Array.from({ length: 1_000 }, (_, value) => String(value).padStart(3, '0'))

/** `date.toJSON()` in a tenth of the time. */
function isoOf(date: Date): string | null {
  const time = date.getTime()
  if (Number.isNaN(time)) return null
  const day = Math.floor(time / dayLength)
  let start = days.get(day)
  if (start === undefined) {
    if (days.size === maxDays) days.clear()
    const iso = date.toISOString()
    start = iso.slice(0, iso.indexOf('T') + 1)
    days.set(day, start)
  }
  const inDay = time - day * dayLength
  const [hour, minute, second] = [Math.floor(inDay / 3_600_000), Math.floor(inDay / 60_000) % 60, Math.floor(inDay / 1_000) % 60]
  return `${start}${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[second]}.${threeDigits[inDay % 1_000]}Z`
}

/** The value with its dates as text. Returns the same object if it has none. */
function withoutDates(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return isoOf(value)
  if ('toJSON' in value) return value
  if (Array.isArray(value)) {
    let copy: unknown[] | null = null
    for (let i = 0; i < value.length; i++) {
      const [before, after] = [value[i] as unknown, withoutDates(value[i])]
      if (after !== before) (copy ??= [...(value as unknown[])])[i] = after
    }
    return copy ?? value
  }
  let copy: Record<string, unknown> | null = null
  for (const key of Object.keys(value)) {
    const before = (value as Record<string, unknown>)[key]
    if (typeof before !== 'object' || before === null) continue
    const after = withoutDates(before)
    if (after !== before) (copy ??= { ...(value as Record<string, unknown>) })[key] = after
  }
  return copy ?? value
}

/** `JSON.stringify`, which takes most of its time for dates: a page of a list has hundreds. */
export const toJson = (value: unknown): string => JSON.stringify(withoutDates(value))
