import { describe, expect, it } from 'vitest'
import { addressLine, followUp, lastContact, placeName, procedureName, sourceName, telephoneLink, extraSourceText } from './contact-text.ts'

const clock = { now: '2026-11-20T17:00:00Z', timeZone: 'America/Toronto' }

it("shows the name of a procedure or source, else the form's text, and the display group of a source", () => {
  const directory = { procedures: [{ id: 'p', name: 'Rhinoplasty' }], sources: [{ id: 's', name: 'Google Ads' }] }
  expect(procedureName({ procedureId: 'p', procedureText: 'nose job' }, directory)).toBe('Rhinoplasty')
  expect(procedureName({ procedureId: null, procedureText: 'nose job' }, directory)).toBe('nose job')
  expect(procedureName({ procedureId: 'gone', procedureText: null }, directory)).toBeNull()
  expect(sourceName({ leadSourceId: 's', leadSourceText: 'x' }, directory)).toBe('Google CPC')
  expect(sourceName({ leadSourceId: null, leadSourceText: 'facebook lead ads' }, directory)).toBe('Social Media')
  expect(sourceName({ leadSourceId: null, leadSourceText: null }, directory)).toBe('Unknown')
})

it('links a phone as typed, and returns null without a number', () => {
  expect(telephoneLink('(905) 555-0142 x204')).toBe('tel:9055550142x204')
  expect(telephoneLink('+49 30 123')).toBe('tel:+4930123')
  expect(telephoneLink('ask his wife')).toBeNull()
  expect(telephoneLink(null)).toBeNull()
})

it("shows the form's source text only if it differs from the group", () => {
  expect(extraSourceText('Social Media', 'instagram')).toBe('instagram')
  expect(extraSourceText('My Friend', 'my_friend ')).toBeNull()
  expect(extraSourceText('Referral', null)).toBeNull()
})

it('formats an address from its known parts', () => {
  const nowhere = { address: null, city: null, state: null, zipCode: null }
  expect(addressLine({ address: '218 Lakeshore Rd E', city: 'Oakville', state: 'ON', zipCode: 'L6J 1H9' })).toBe(
    '218 Lakeshore Rd E, Oakville, ON L6J\u00a01H9',
  )
  expect(addressLine({ ...nowhere, zipCode: 'L6J 1H9' })).toBe('L6J\u00a01H9')
  expect(addressLine(nowhere)).toBe('')
  expect(placeName({ city: 'Oakville', state: null })).toBe('Oakville')
  expect(placeName({ city: null, state: null })).toBeNull()
})

describe("followUp, by the practice's calendar", () => {
  it('is overdue from the next day on', () => {
    // 23:30 the evening before, which is the same day in UTC.
    expect(followUp('2026-11-20T04:30:00Z', clock)).toEqual({ text: 'Nov 19', when: 'overdue' })
  })
  it('is for today until the day ends', () => {
    expect(followUp('2026-11-20T14:00:00Z', clock)).toEqual({ text: 'Today, 9:00 a.m.', when: 'today' })
    expect(followUp('2026-11-21T04:30:00Z', clock)).toEqual({ text: 'Today, 11:30 p.m.', when: 'today' })
  })
  it('is later after that, and null without a date', () => {
    expect(followUp('2026-11-21T14:00:00Z', clock)).toEqual({ text: 'Nov 21', when: 'later' })
    expect(followUp('2027-01-04T14:00:00Z', clock)).toEqual({ text: 'Jan 4, 2027', when: 'later' })
    expect(followUp(null, clock)).toBeNull()
  })
})

it('marks a lead of the last week as new until the first contact', () => {
  expect(lastContact({ lastContactDate: '2026-11-20T15:00:00Z', createdAt: '2026-11-20T12:00:00Z' }, clock)).toEqual({ ago: '2 h' })
  expect(lastContact({ lastContactDate: null, createdAt: '2026-11-14T12:00:00Z' }, clock)).toBe('new')
  expect(lastContact({ lastContactDate: null, createdAt: '2026-11-13T12:00:00Z' }, clock)).toBeNull()
})
