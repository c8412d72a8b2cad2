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
