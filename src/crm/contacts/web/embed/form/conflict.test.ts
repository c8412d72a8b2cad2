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

// A contact from the API: these columns over those of an empty one.
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

  it('describes who changed a field and when, both values, and the value of the form', () => {
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
    expect(clashes[1]).toMatchObject({ label: 'Stage', who: 'System', before: 'Lead', theirs: 'Consult Booked', mine: 'Lead' })
  })
  it('combines the two columns of a reference', () => {
    expect(clashes).toHaveLength(3)
    expect(clashes[2]).toMatchObject({ field: 'leadSource', before: 'Referral', theirs: 'a friend', mine: 'TikTok' })
  })
})

it('formats every kind of value as the screens do', () => {
  const format = (field: Parameters<typeof formatFieldValue>[0], value: unknown) => formatFieldValue(field, value, directory, clock)
  expect(format('revenueCents', 820_050)).toBe('$8,200.50')
  expect(format('consentToCommunicate', false)).toBe('No')
  expect(format('nextFollowUpDate', '2026-11-23T14:00:00.000Z')).toBe('Mon, Nov 23, 9:00 a.m.')
  expect(format('surgicalDate', '2026-12-01')).toBe('Dec 1, 2026')
  expect(format('appointmentTime', '14:30')).toBe('2:30 p.m.')
  expect(format('assignedSalesRepId', devon)).toBe('Devon Achebe')
  expect(format('metadata', { a: 'b', c: 1 })).toBe('a: b, c: 1')
  expect(format('city', null)).toBe('None')
})

it('distinguishes a change from empty and a change to empty', () => {
  expect(formatChange({ before: 'a', theirs: 'b' })).toBe('from “a” to “b”')
  expect(formatChange({ before: 'None', theirs: 'b' })).toBe('to “b”; it was empty before')
  expect(formatChange({ before: 'a', theirs: 'None' })).toBe('to empty; it was “a”')
})

it('saves only the fields where the user keeps their own value', () => {
  const mine = { phone: '1', city: 'Oakville', funnelStage: lead }
  expect(withoutTheirs(mine, { phone: 'theirs', funnelStage: 'mine' })).toEqual({ city: 'Oakville', funnelStage: lead })
})

it('keeps the typed time with its day', () => {
  expect(valuesBehind({ phone: '1', nextFollowUpDate: null })).toEqual(['phone', 'nextFollowUpDate', 'nextFollowUpTime'])
})
