import { type Condition, type Filter, type FilterField, filterFields, maxConditions, maxValues } from '../../../filter.ts'

/** What the menu has open: every field, or one, with the place of its condition if there is one already. */
export interface Edited {
  field: FilterField | null
  at: number | null
  /** Of a condition that has no value yet. */
  not?: boolean
}

/** The filter with another condition in this place, or behind the others; without it where it is null or has no value. */
export function withCondition({ mode, conditions }: Filter, at: number | null, condition: Condition | null): Filter {
  const index = at ?? conditions.length
  const isKept = condition !== null && condition.values.length > 0
  const changed = conditions.toSpliced(index, 1, ...(isKept ? [condition] : [])).slice(0, maxConditions)
  // Of one condition, all and any are the same.
  return { mode: changed.length < 2 ? 'all' : mode, conditions: changed }
}

/** Which condition the menu opens for a field: the one there is. A patient may have several tags, so that each of them is a condition. */
export function placeOf({ conditions }: Filter, field: FilterField): number | null {
  const at = field === 'tag' ? -1 : conditions.findIndex((condition) => condition.field === field)
  return at < 0 ? null : at
}

/** The condition with a value more, or one less. */
export function toggled(condition: Condition, value: string): Condition {
  const has = condition.values.includes(value)
  if (filterFields[condition.field].isSingle) return { ...condition, values: has ? [] : [value] }
  const values = has ? condition.values.filter((other) => other !== value) : [...condition.values, value]
  return { ...condition, values: values.slice(0, maxValues) }
}
