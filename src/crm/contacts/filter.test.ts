import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyFilter } from '../../../test/crm/filters.ts'
import { filterFields, maxFilterLength, maxConditions, maxValues, parseFilter, readDays, readFilter, writeFilter } from './filter.ts'

const id = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const other = 'bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee'

describe('filter syntax', () => {
  it.each([
    [`stage:${id},${other}`, { mode: 'all', conditions: [{ field: 'stage', not: false, values: [id, other] }] }],
    [
      `any|owner:me;tag!:${id}`,
      {
        mode: 'any',
        conditions: [
          { field: 'owner', not: false, values: ['me'] },
          { field: 'tag', not: true, values: [id] },
        ],
      },
    ],
    ['added:2026-11-01..', { mode: 'all', conditions: [{ field: 'added', not: false, values: ['2026-11-01..'] }] }],
    ['source-group:A%2C B', { mode: 'all', conditions: [{ field: 'source-group', not: false, values: ['A, B'] }] }],
    ['stage:consult_booked', { mode: 'all', conditions: [{ field: 'stage', not: false, values: ['consult_booked'] }] }],
    [
      `source:Website Form,${id},none`,
      { mode: 'all', conditions: [{ field: 'source', not: false, values: ['Website Form', id, 'none'] }] },
    ],
    [
      'city:Trois-Rivières,Barrie%2C ON,none',
      { mode: 'all', conditions: [{ field: 'city', not: false, values: ['Trois-Rivières', 'Barrie, ON', 'none'] }] },
    ],
    [`city:${'x'.repeat(100)}`, { mode: 'all', conditions: [{ field: 'city', not: false, values: ['x'.repeat(100)] }] }],
    ['', { mode: 'all', conditions: [] }],
  ])('reads and writes "%s"', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter)
    expect(writeFilter(parseFilter(text)!) ?? '').toBe(text)
  })

  it.each([
    ['an unknown field', 'colour:red'],
    ['a property of every object as field', 'constructor:x'],
    ['a missing field', ':x'],
    ['a missing value', 'stage:'],
    ['an invalid id', 'tag:vip'],
    ['a keyword of another field', 'added:overdue'],
    ['a property of every object as value', 'consent:toString'],
    ['a date that does not exist', 'added:2026-02-30..'],
    ['a range that ends before it starts', 'added:2026-11-02..2026-11-01'],
    ['a range without either end', 'added:..'],
    ['an empty condition', `stage:${id};`],
    ['an empty text', 'source-group:'],
    ['an unescaped text', 'source-group:100%'],
    ['a text of spaces', 'city:  '],
    ['a text longer than the field', `city:${'x'.repeat(101)}`],
    ['a NUL in a text', 'city:a\0'],
    ['a NUL', 'source-group:a\0'],
    ['a lone surrogate', 'source-group:a%ED%A0%80'],
    ['too many conditions', Array.from({ length: maxConditions + 1 }, () => 'consent:yes').join(';')],
    ['too many values', `source-group:${Array.from({ length: maxValues + 1 }, (_, i) => i).join(',')}`],
    ['a text that is too long', `source-group:${'x'.repeat(maxFilterLength)}`],
  ])('refuses %s', (_, text) => expect(parseFilter(text)).toBeNull())

  it('keeps the valid parts of a filter in a URL', () => {
    expect(writeFilter(readFilter(`tag:vip,${id.toUpperCase()};colour:red;owner:me;x`))).toBe(`tag:${id};owner:me`)
    expect(writeFilter(readFilter('any|consent:maybe'))).toBeNull()
    expect(readFilter(Array.from({ length: 50 }, () => 'consent:yes').join(';')).conditions).toHaveLength(maxConditions)
  })

  it('reads back every filter that it writes, leniently and strictly', () => {
    fc.assert(
      fc.property(anyFilter({ ids: [id, other] }), (filter) => {
        const text = writeFilter(filter)!
        fc.pre(text.length <= maxFilterLength)
        expect(parseFilter(text)).toEqual(filter)
        expect(readFilter(text)).toEqual(filter)
      }),
    )
  })

  it('reads any text without an error into a valid filter', () => {
    const pieces = fc.constantFrom(...Object.keys(filterFields), 'any|', '!', ':', ';', ',', '%', '%ZZ', '..', id, 'none', '2026-01-01')
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        parseFilter(text)
        const written = writeFilter(readFilter(text))
        if (written !== null) expect(parseFilter(written)).not.toBeNull()
      }),
    )
  })

  it('reads days with either end open', () => {
    expect(readDays('2026-11-01..2026-11-30')).toEqual({ from: '2026-11-01', to: '2026-11-30' })
    expect(readDays('..2024-02-29')).toEqual({ from: null, to: '2024-02-29' })
    expect(readDays('2023-02-29..')).toBeNull()
    expect(readDays('1899-12-31..')).toBeNull()
  })
})
