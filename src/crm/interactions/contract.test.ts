import { expect, it } from 'vitest'
import { interactionTypes, kindTypes } from './contract.ts'

it('assigns every entry type to exactly one kind, so that every entry matches a filter', () => {
  expect(Object.values(kindTypes).flat().toSorted()).toEqual([...interactionTypes].toSorted())
})
