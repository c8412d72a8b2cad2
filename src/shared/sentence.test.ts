import { expect, it } from 'vitest'
import { asSentence } from './sentence.ts'

it('ends a sentence with one period', () => {
  expect(['Closed', 'Until 4:30 p.m.'].map(asSentence)).toEqual(['Closed.', 'Until 4:30 p.m.'])
})
