import { formatDay } from '../../../../../ui/format.ts'
import { sourceGroup, sourceGroups } from '../../../../lead-sources/rules.ts'
import { filteredFields, filterOf } from '../../../derived-fields.ts'
import { type Condition, type FilterField, filterFields, isNameOf, nameOfValue, readDays } from '../../../filter.ts'
import { assignableRoles } from '../../../rules.ts'
import { formerStaff, unknownSource } from '../../embed/contact-text.ts'
import { byId, type Directory } from '../../embed/directory.ts'

export interface FilterValue {
  value: string
  name: string
}

/** The periods to offer, by filter. */
const offeredDays = new Map<FilterField, readonly string[]>([
  ...filteredFields.map((name): [FilterField, readonly string[]] => [filterOf(name).id, filterOf(name).offered ?? []]),
  ['added', ['today', 'yesterday', 'this-week', 'last-week', 'last-30-days', 'this-month', 'last-month']],
])

/** The values of a field that can be chosen from a list, in its order. */
export function valuesOf(field: FilterField, directory: Directory): FilterValue[] {
  const named = Object.entries(filterFields[field].named).map(([value, name]) => ({ value, name }))
  const listed = (entries: readonly { id: string; name: string }[]) => entries.map(({ id, name }) => ({ value: id, name }))
  const staff = (roles: readonly string[]) =>
    directory.people.filter(({ role }) => roles.includes(role)).map(({ id, fullName }) => ({ value: id, name: fullName }))
  switch (field) {
    case 'stage':
      return listed(directory.stages)
    case 'source-group': {
      const groups = new Set([...sourceGroups, ...directory.sources.map(({ name }) => sourceGroup(name)), unknownSource])
      return [...groups].map((name) => ({ value: name, name }))
    }
    case 'source':
      return [...listed(directory.sources), ...named]
    case 'tag':
      return [...listed(directory.tags), ...named]
    case 'owner':
      return [...named, ...staff(assignableRoles.assignedSalesRepId)]
    case 'provider':
      return [...named, ...staff(assignableRoles.assignedProviderId)]
    case 'procedure':
      return [...listed(directory.procedures), ...named]
    default:
      if (filterFields[field].also !== 'days') return named
      return (offeredDays.get(field) ?? []).map((value) => ({ value, name: nameOfValue(field, value) ?? value }))
  }
}

/** The label of a value; 'Unknown' or 'Former staff' if it no longer exists. */
function nameOf(field: FilterField, value: string, directory: Directory): string {
  const named = nameOfValue(field, value) ?? (isNameOf(field, value) ? value : null)
  if (named !== null) return named
  const days = readDays(value)
  if (days) return formatDays(days.from, days.to)
  switch (field) {
    case 'stage':
      return byId(directory.stages, value)?.name ?? 'Unknown'
    case 'source':
      return byId(directory.sources, value)?.name ?? 'Unknown'
    case 'tag':
      return byId(directory.tags, value)?.name ?? 'Unknown'
    case 'procedure':
      return byId(directory.procedures, value)?.name ?? 'Unknown'
    case 'owner':
    case 'provider':
      return byId(directory.people, value)?.firstName ?? formerStaff
    default:
      return value
  }
}

function formatDays(from: string | null, to: string | null): string {
  if (from === to && from !== null) return formatDay(from)
  if (to === null) return `Since ${formatDay(from!)}`
  return from === null ? `Until ${formatDay(to)}` : `${formatDay(from)} to ${formatDay(to)}`
}

const maxNames = 3

/** The text of a condition's values: 'Me, Devon', 'is not Cold Lead', 'Lead, Contacted +3'. */
export function describeCondition({ field, not, values }: Condition, directory: Directory): string {
  const names = values.slice(0, maxNames).map((value) => nameOf(field, value, directory))
  const more = values.length > maxNames ? ` +${values.length - maxNames}` : ''
  return `${not ? 'is not ' : ''}${names.join(', ')}${more}`
}
