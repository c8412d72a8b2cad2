import { describe, expect, it } from 'vitest'
import { exceededLimit } from './json-limits.ts'

const limits = { depth: 3, values: 5 }
const check = (json: string) => exceededLimit(Buffer.from(json), limits)

describe('the shape of a JSON body is limited before it is parsed', () => {
  it.each([
    ['within both', '{"a":[1,2,{"b":3}]}', null],
    ['brackets and commas inside texts', '{"a":"[[[[,,,,,,,,{{{{"}', null],
    ['a text that ends in escaped backslashes', String.raw`{"a":"\\\\","b":[[[]]]}`, 'depth'],
    ['an escaped quote', String.raw`{"a":"\"[[[[[["}`, null],
    ['one level too deep', '[[[[]]]]', 'depth'],
    ['lists side by side are not deep', '[[1],[2]]', null],
    ['too many values', '[1,2,3,4,5,6]', 'values'],
    ['a text without an end', '{"a":"[[[[', null],
    ['no JSON at all', ']]]]]]', null],
  ])('%s', (_what, json, expected) => expect(check(json)).toBe(expected))
})
