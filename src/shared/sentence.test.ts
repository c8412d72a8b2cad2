import { expect, it } from 'vitest'
import { asSentence } from './sentence.ts'

it('a sentence ends in one full stop', () => {
  expect(['Closed', 'Until 4:30 p.m.'].map(asSentence)).toEqual(['Closed.', 'Until 4:30 p.m.'])
})
