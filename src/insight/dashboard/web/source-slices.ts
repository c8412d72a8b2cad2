import { writeFilter } from '../../../crm/contacts/filter.ts'
import { sourceGroup } from '../../../crm/lead-sources/rules.ts'
import type { SourceCount } from '../contract.ts'

export interface SourceSlice {
  name: string
  count: number
  /** 1 to 10, in palette order. */
  colour: number
  /** Link to its patients; null if there are more names than a filter accepts. */
  filter: string | null
}

const unknown = sourceGroup(null)
/** Spec 9: ten colours, the last reserved for Unknown. */
const colours = 10
const maxNames = 40

/** Slices of the ring, largest first, Unknown last. Sources beyond the palette share one slice. */
export function slicesOfSources(sources: readonly SourceCount[]): SourceSlice[] {
  const named = sources.filter(({ group }) => group !== unknown)
  const own = named.length < colours ? named.length : colours - 2
  const rest = named.slice(own)
  const slices = named
    .slice(0, own)
    .map(({ group, count }, index) => ({ name: group, count, colour: index + 1, filter: filterOfSources([group]) }))
  if (rest.length > 0) {
    const count = rest.reduce((sum, one) => sum + one.count, 0)
    slices.push({
      name: `${rest.length} other sources`,
      count,
      colour: colours - 1,
      filter: filterOfSources(rest.map(({ group }) => group)),
    })
  }
  const missing = sources.find(({ group }) => group === unknown)
  if (missing) slices.push({ name: unknown, count: missing.count, colour: colours, filter: filterOfSources([unknown]) })
  return slices
}

/** Patient list filter for these groups, as far as it can express them. */
export function filterOfSources(groups: readonly string[]): string | null {
  const isTooMany = groups.length > maxNames || groups.some((group) => group.length > 200)
  return isTooMany ? null : writeFilter({ mode: 'all', conditions: [{ field: 'source-group', not: false, values: groups }] })
}
