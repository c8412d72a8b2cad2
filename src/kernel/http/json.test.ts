import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toJson } from './json.ts'

it('writes every value as JSON.stringify does', () => {
  const date = fc.oneof(fc.date({ noInvalidDate: false }), fc.date({ min: new Date('1969-01-01'), max: new Date('2100-01-01') }))
  const value = fc.anything({
    withDate: true,
    withSparseArray: true,
    maxDepth: 4,
    values: [date, fc.string(), fc.double(), fc.boolean(), fc.constant(null)],
  })
  fc.assert(
    fc.property(value, (one) => {
      expect(toJson(one)).toBe(JSON.stringify(one))
    }),
    { numRuns: 2_000 },
  )
})

it('leaves what it was given as it is', () => {
  const given = { rows: [{ at: new Date(0), name: 'Zoë' }], none: undefined, url: new URL('https://clinic.example') }
  expect(toJson(given)).toBe('{"rows":[{"at":"1970-01-01T00:00:00.000Z","name":"Zoë"}],"url":"https://clinic.example/"}')
  expect(given.rows[0]!.at).toEqual(new Date(0))
})
