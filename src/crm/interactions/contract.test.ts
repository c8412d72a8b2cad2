import { expect, it } from 'vitest'
import { interactionTypes, kindTypes } from './contract.ts'

it('every type of entry belongs to exactly one kind, so that no filter hides it from all', () => {
  expect(Object.values(kindTypes).flat().toSorted()).toEqual([...interactionTypes].toSorted())
})
