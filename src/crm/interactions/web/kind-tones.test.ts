import { expect, it } from 'vitest'
import { interactionTypes } from '../contract.ts'
import { kindTones } from './kind-tones.ts'

/** As spec 9 lists them. */
const types = [
  'call', 'email', 'note', 'task', 'document', 'tag', 'meeting', 'quickbooks', 'stage_change', 'consult_booked', 'surgery_booked',
  'contact_created', 'stage_changed', 'tag_added',
] as const // biome-ignore format: a list reads better in rows

it.each(types)('the activity type %s is coloured (spec 9)', (type) => {
  expect(interactionTypes).toContain(type)
  expect(kindTones[type]).toBeOneOf(['info', 'success', 'warning', 'accent', 'rose'])
})

it('an older type has the colour of the one that took its place (spec 9)', () => {
  expect([kindTones.stage_changed, kindTones.tag_added]).toEqual([kindTones.stage_change, kindTones.tag])
})
