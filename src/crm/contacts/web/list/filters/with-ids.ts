import { type Filter, type FilterField, isNameOf } from '../../../filter.ts'
import type { Directory } from '../../embed/directory.ts'

/** Replaces names and values in a filter with ids from the directory. */
export function withIds({ mode, conditions }: Filter, directory: Directory): Filter {
  const lists = { stage: directory.stages, source: directory.sources, procedure: directory.procedures }
  const idOf = (field: FilterField, value: string) => {
    if (!isNameOf(field, value)) return value
    const known: readonly { id: string; name: string; value?: string }[] = lists[field as keyof typeof lists]
    const is = (name: string | undefined) => name?.toLowerCase() === value.toLowerCase()
    return known.find((one) => is(one.name) || is(one.value))?.id ?? value
  }
  return { mode, conditions: conditions.map((one) => ({ ...one, values: one.values.map((value) => idOf(one.field, value)) })) }
}
