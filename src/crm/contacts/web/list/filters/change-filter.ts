import { type Condition, type Filter, type FilterField, filterFields, maxConditions, maxValues } from '../../../filter.ts'

/** The open page of the menu: all fields (null), or one field with the index of its condition, if any. */
export interface Edited {
  field: FilterField | null
  at: number | null
  /** The relation of a condition without values yet. */
  not?: boolean
}

/** The filter with the condition replaced at this index or appended; removed if null or without values. */
export function withCondition({ mode, conditions }: Filter, at: number | null, condition: Condition | null): Filter {
  const index = at ?? conditions.length
  const isKept = condition !== null && condition.values.length > 0
  const changed = conditions.toSpliced(index, 1, ...(isKept ? [condition] : [])).slice(0, maxConditions)
  // With one condition, all and any are the same.
  return { mode: changed.length < 2 ? 'all' : mode, conditions: changed }
}

/** The index of the field's condition, or null. Tags always add a new condition, because a patient may have several. */
export function placeOf({ conditions }: Filter, field: FilterField): number | null {
  const at = field === 'tag' ? -1 : conditions.findIndex((condition) => condition.field === field)
  return at < 0 ? null : at
}

/** The condition with a value added or removed. */
export function toggled(condition: Condition, value: string): Condition {
  const has = condition.values.includes(value)
  if (filterFields[condition.field].isSingle) return { ...condition, values: has ? [] : [value] }
  const values = has ? condition.values.filter((other) => other !== value) : [...condition.values, value]
  return { ...condition, values: values.slice(0, maxValues) }
}
