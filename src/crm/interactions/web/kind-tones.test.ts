import { expect, it } from 'vitest'
import { interactionTypes } from '../contract.ts'
import { kindTones } from './kind-tones.ts'

/** The activity types listed in spec 9. */
const types = [
  'call',
  'email',
  'note',
  'task',
  'document',
  'tag',
  'meeting',
  'quickbooks',
  'stage_change',
  'consult_booked',
  'surgery_booked',
  'contact_created',
  'stage_changed',
  'tag_added',
] as const

it.each(types)('gives the activity type %s a colour (spec 9)', (type) => {
  expect(interactionTypes).toContain(type)
  expect(kindTones[type]).toBeOneOf(['info', 'success', 'warning', 'accent', 'rose'])
})

it('gives a legacy type the colour of its replacement (spec 9)', () => {
  expect([kindTones.stage_changed, kindTones.tag_added]).toEqual([kindTones.stage_change, kindTones.tag])
})
