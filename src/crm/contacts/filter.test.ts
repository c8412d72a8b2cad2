import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyFilter } from '../../../test/filters.ts'
import { filterFields, maxFilterLength, maxConditions, maxValues, parseFilter, readDays, readFilter, writeFilter } from './filter.ts'

const id = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const other = 'bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee'

describe('issue 3: the language of filters', () => {
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
  ])('%s', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter)
    expect(writeFilter(parseFilter(text)!) ?? '').toBe(text)
  })

  it.each([
    ['a field that there is not', 'colour:red'],
    ['a field of every object', 'constructor:x'],
    ['no field', ':x'],
    ['no value', 'stage:'],
    ['an id that is none', 'tag:vip'],
    ['a word of another field', 'added:overdue'],
    ['a word of every object', 'consent:toString'],
    ['a day that there is not', 'added:2026-02-30..'],
    ['days from the last to the first', 'added:2026-11-02..2026-11-01'],
    ['days without an end', 'added:..'],
    ['an empty condition', `stage:${id};`],
    ['an empty text', 'source-group:'],
    ['a text that is not escaped', 'source-group:100%'],
    ['a text of spaces', 'city:  '],
    ['a text longer than the field', `city:${'x'.repeat(101)}`],
    ['a NUL in a text', 'city:a\0'],
    ['a NUL', 'source-group:a\0'],
    ['half a surrogate', 'source-group:a%ED%A0%80'],
    ['too many conditions', Array.from({ length: maxConditions + 1 }, () => 'consent:yes').join(';')],
    ['too many values', `source-group:${Array.from({ length: maxValues + 1 }, (_, i) => i).join(',')}`],
    ['too long a text', `source-group:${'x'.repeat(maxFilterLength)}`],
  ])('%s is refused', (_, text) => expect(parseFilter(text)).toBeNull())

  it('an address keeps the parts that make sense', () => {
    expect(writeFilter(readFilter(`tag:vip,${id.toUpperCase()};colour:red;owner:me;x`))).toBe(`tag:${id};owner:me`)
    expect(writeFilter(readFilter('any|consent:maybe'))).toBeNull()
    expect(readFilter(Array.from({ length: 50 }, () => 'consent:yes').join(';')).conditions).toHaveLength(maxConditions)
  })

  it('writing and reading are inverse, and an address reads what a program does', () => {
    fc.assert(
      fc.property(anyFilter({ ids: [id, other] }), (filter) => {
        const text = writeFilter(filter)!
        fc.pre(text.length <= maxFilterLength)
        expect(parseFilter(text)).toEqual(filter)
        expect(readFilter(text)).toEqual(filter)
      }),
    )
  })

  it('any text at all is read without an error, and what is made of it is readable', () => {
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
