import { describe, expect, it } from 'vitest'
import { exceededLimit } from './json-limits.ts'

const limits = { depth: 3, values: 5 }
const check = (json: string) => exceededLimit(Buffer.from(json), limits)

describe('JSON limits, checked before parsing', () => {
  it.each([
    ['within both', '{"a":[1,2,{"b":3}]}', null],
    ['brackets and commas in strings', '{"a":"[[[[,,,,,,,,{{{{"}', null],
    ['a string that ends in escaped backslashes', String.raw`{"a":"\\\\","b":[[[]]]}`, 'depth'],
    ['an escaped quote', String.raw`{"a":"\"[[[[[["}`, null],
    ['one level too deep', '[[[[]]]]', 'depth'],
    ['adjacent lists are not nested', '[[1],[2]]', null],
    ['too many values', '[1,2,3,4,5,6]', 'values'],
    ['an unterminated string', '{"a":"[[[[', null],
    ['not JSON', ']]]]]]', null],
  ])('%s', (_what, json, expected) => expect(check(json)).toBe(expected))
})
