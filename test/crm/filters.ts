import fc from 'fast-check'
import { type Condition, type Filter, type FilterField, filterFields, maxConditions } from '../../src/crm/contacts/filter.ts'

const day = fc
  .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2200-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

type Values = {
  /** Ids that may occur, by field or for all fields. */
  ids: readonly string[] | Partial<Record<FilterField, readonly string[]>>
  groups?: readonly string[]
  texts?: readonly string[]
  days?: fc.Arbitrary<string>
}

const isList = (ids: Values['ids']): ids is readonly string[] => Array.isArray(ids)

/** Arbitrary filters of every field, relation and kind of value. */
export function anyFilter({ ids, groups, texts, days = day }: Values): fc.Arbitrary<Filter> {
  const range = fc
    .tuple(fc.option(days), fc.option(days))
    .filter(([from, to]) => (from ?? to) !== null && (from === null || to === null || from <= to))
    .map(([from, to]) => `${from ?? ''}..${to ?? ''}`)
  const anyText = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) => text.trim() !== '' && !text.includes('\0'))
  const textOf = (known: readonly string[] | undefined) => (known ? fc.constantFrom(...known) : anyText)
  const valueOf = (field: FilterField): fc.Arbitrary<string> => {
    const { also, named } = filterFields[field]
    const known = isList(ids) ? ids : (ids[field] ?? [])
    const names = [...Object.keys(named), ...(also === 'id' || also === 'reference' ? known : [])]
    const choices = [
      ...(names.length > 0 ? [fc.constantFrom(...names)] : []),
      ...(also === 'days' ? [range] : []),
      ...(also === 'group' ? [textOf(groups)] : []),
      ...(also === 'text' ? [textOf(texts)] : []),
    ]
    return fc.oneof(...choices)
  }
  const condition: fc.Arbitrary<Condition> = fc
    .constantFrom(...(Object.keys(filterFields) as FilterField[]))
    .chain((field) =>
      fc.record({ field: fc.constant(field), not: fc.boolean(), values: fc.uniqueArray(valueOf(field), { minLength: 1, maxLength: 4 }) }),
    )
  return fc.record({
    mode: fc.constantFrom('all', 'any'),
    conditions: fc.array(condition, { minLength: 1, maxLength: maxConditions }),
  })
}
