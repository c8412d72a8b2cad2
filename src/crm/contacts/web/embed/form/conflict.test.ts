import { describe, expect, it } from 'vitest'
import type { Directory } from '../directory.ts'
import type { Conflict } from '../refusals.ts'
import { formatFieldValue } from '../field-labels.ts'
import { formatChange, clashesOf, valuesBehind, withoutTheirs } from './conflict.ts'
import { blankValues, fieldsOf } from './form-values.ts'

const [lead, booked, devon, source] = ['1', '2', '3', '4'].map((digit) => `0198c0de-0000-7000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
  string,
]
const stage = (id: string, name: string) => ({
  id,
  name,
  value: name,
  sortOrder: 1,
  kind: 'open' as const,
  isInitial: false,
  isActive: true,
  version: 1,
})
const directory: Directory = {
  stages: [stage(lead, 'Lead'), stage(booked, 'Consult Booked')],
  people: [{ id: devon, firstName: 'Devon', lastName: 'Achebe', fullName: 'Devon Achebe', email: 'd@x.ca', role: 'sales_rep' }],
  procedures: [],
  sources: [{ id: source, name: 'Referral' }],
  tags: [],
}
const clock = { now: '2026-11-20T17:00:00Z', timeZone: 'America/Toronto' }
const at = '2026-11-20T16:57:00Z'

// What a contact becomes in the browser: its own columns over those of an empty one.
const current = {
  ...Object.fromEntries(Object.entries(fieldsOf(blankValues, clock.timeZone))),
  id: lead,
  version: 6,
  firstName: 'Éloïse',
  phone: '9055550199',
  funnelStageId: booked,
  leadSourceId: null,
  leadSourceText: 'a friend',
  procedureId: null,
  procedureText: null,
} as unknown as Conflict['current']

describe('clashesOf', () => {
  const mine = { phone: '9055550142', funnelStage: lead, leadSource: 'TikTok' }
  const changes = [
    { field: 'phone', by: devon, at, from: null, to: '9055550199' },
    { field: 'funnelStageId', by: null, at, from: lead, to: booked },
    { field: 'leadSourceId', by: devon, at, from: source, to: null },
    { field: 'leadSourceText', by: devon, at, from: null, to: 'a friend' },
  ]
  const clashes = clashesOf({ current, changes }, mine, directory, clock)

  it('says who changed a field, when, from what to what, and what the form wants', () => {
    expect(clashes[0]).toEqual({
      field: 'phone',
      label: 'Phone',
      who: 'Devon Achebe',
      ago: '3 min ago',
      exactly: 'Fri, Nov 20, 11:57 a.m.',
      before: 'None',
      theirs: '(905) 555-0199',
      mine: '(905) 555-0142',
    })
  })
  it('names stages and the system', () => {
    expect(clashes[1]).toMatchObject({ label: 'Stage', who: 'The system', before: 'Lead', theirs: 'Consult Booked', mine: 'Lead' })
  })
  it('makes one entry of the two columns of a reference', () => {
    expect(clashes).toHaveLength(3)
    expect(clashes[2]).toMatchObject({ field: 'leadSource', before: 'Referral', theirs: 'a friend', mine: 'TikTok' })
  })
})

it('says every kind of value as the screens do', () => {
  const say = (field: Parameters<typeof formatFieldValue>[0], value: unknown) => formatFieldValue(field, value, directory, clock)
  expect(say('revenueCents', 820_050)).toBe('$8,200.50')
  expect(say('consentToCommunicate', false)).toBe('No')
  expect(say('nextFollowUpDate', '2026-11-23T14:00:00.000Z')).toBe('Mon, Nov 23, 9:00 a.m.')
  expect(say('surgicalDate', '2026-12-01')).toBe('Dec 1, 2026')
  expect(say('appointmentTime', '14:30')).toBe('2:30 p.m.')
  expect(say('assignedSalesRepId', devon)).toBe('Devon Achebe')
  expect(say('metadata', { a: 'b', c: 1 })).toBe('a: b, c: 1')
  expect(say('city', null)).toBe('None')
})

it('tells a change from nothing and to nothing apart', () => {
  expect(formatChange({ before: 'a', theirs: 'b' })).toBe('from “a” to “b”')
  expect(formatChange({ before: 'None', theirs: 'b' })).toBe('to “b”; nothing was there before')
  expect(formatChange({ before: 'a', theirs: 'None' })).toBe('and left it empty; it was “a”')
})

it('saves what is mine, and nothing that is left to them', () => {
  const mine = { phone: '1', city: 'Oakville', funnelStage: lead }
  expect(withoutTheirs(mine, { phone: 'theirs', funnelStage: 'mine' })).toEqual({ city: 'Oakville', funnelStage: lead })
})

it('keeps the time that was typed beside a day', () => {
  expect(valuesBehind({ phone: '1', nextFollowUpDate: null })).toEqual(['phone', 'nextFollowUpDate', 'nextFollowUpTime'])
})
