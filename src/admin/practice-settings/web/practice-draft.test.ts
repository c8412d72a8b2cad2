import { expect, it } from 'vitest'
import { changesOf, draftOf } from './practice-draft.ts'

const none = {
  name: null,
  subtitle: null,
  subtitleFr: null,
  hoursFr: null,
  address: null,
  phone: null,
  hours: null,
  hstNumber: null,
  timeZone: null,
  brandHue: null,
  companyDomains: null,
  mailFrom: null,
  mailReplyTo: null,
  photoWatermark: null,
  textQuietFrom: null,
  textQuietTo: null,
  textsPerPatient: null,
  textsPerDay: null,
  textSegmentPrice: null,
}

it('sends only changed fields', () => {
  const base = draftOf({ set: { ...none, name: 'Harbourview', companyDomains: ['a.example', 'b.example'] }, otherwise: none })
  expect(base).toMatchObject({ name: 'Harbourview', domains: 'a.example, b.example', timeZone: null })
  expect(changesOf(base, base)).toEqual({})
  expect(changesOf({ ...base, phone: '905', brandHue: 20, domains: ' a.example;c.example ' }, base)).toEqual({
    phone: '905',
    brandHue: 20,
    companyDomains: ['a.example', 'c.example'],
  })
  expect(changesOf({ ...base, name: '', domains: ' ' }, base)).toEqual({ name: '', companyDomains: null })
})

it('shows the server’s values for settings that are not set', () => {
  const otherwise = { ...none, name: 'From the server', phone: '905', timeZone: 'America/Toronto', companyDomains: ['a.example'] }
  const shown = draftOf({ set: { ...none, name: 'Harbourview' }, otherwise })
  expect(shown).toMatchObject({ name: 'Harbourview', phone: '905', timeZone: 'America/Toronto', domains: 'a.example' })
  expect(changesOf(shown, shown)).toEqual({})
})

it('reads the settings of text messages as they are typed, and leaves what is no number to the server (issue 28)', () => {
  const otherwise = { ...none, textQuietFrom: '21:00', textQuietTo: '09:00', textsPerPatient: 3, textsPerDay: 2_000, textSegmentPrice: 79 }
  const base = draftOf({ set: none, otherwise })
  expect(base).toMatchObject({ textQuietFrom: '21:00', textsPerPatient: '3', textSegmentPrice: '0.79' })
  expect(changesOf({ ...base, textQuietFrom: '', textsPerPatient: ' 5 ', textSegmentPrice: '1,05' }, base)).toEqual({
    textQuietFrom: null,
    textsPerPatient: 5,
    textSegmentPrice: 105,
  })
  expect(changesOf({ ...base, textsPerDay: 'many', textSegmentPrice: '' }, base)).toEqual({ textsPerDay: 'many', textSegmentPrice: null })
})
