import { expect, it } from 'vitest'
import { timelineKinds, kindTypes } from '../contract.ts'
import { visibleTypes } from '../policy.ts'
import { kindLabels, kindsFor } from './kind-labels.ts'

it('offers every kind, but to billing only the kinds that billing may see', () => {
  expect(Object.keys(kindLabels).toSorted()).toEqual([...timelineKinds].toSorted())
  const visible = new Set<string>(visibleTypes({ role: 'billing' }))
  expect(kindsFor(false)).toEqual(kindsFor(true).filter((kind) => kindTypes[kind].some((type) => visible.has(type))))
})
