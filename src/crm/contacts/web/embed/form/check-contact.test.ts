import { describe, expect, it } from 'vitest'
import { emptyFields } from '../../../../../../test/crm/contact-data.ts'
import type { ContactData } from '../contact-data.ts'
import { consultMessages } from '../../../consult-rules.ts'
import { checkContact, formMessages } from './check-contact.ts'
import { blankValues, type ContactFormValues, valuesOf } from './form-values.ts'

const timeZone = 'America/Toronto'
const now = { timeZone, today: '2026-11-20', clinical: true }
const [stage, source, person] = ['1', '2', '3'].map((digit) => `0198c0de-0000-7000-8000-00000000000${digit}`) as [string, string, string]

const stored: ContactData = {
  ...emptyFields,
  id: stage,
  version: 4,
  firstName: 'Éloïse',
  lastName: 'Tremblay',
  email: 'not an address, from an old import',
  otherEmails: [],
  phone: '9055550142',
  otherPhones: [],
  address: null,
  city: 'Oakville',
  state: 'ON',
  zipCode: null,
  company: null,
  title: null,
  notes: 'Prefers texts.',
  status: 'active',
  leadSourceId: source,
  leadSourceText: 'google',
  funnelStageId: stage,
  lostReason: null,
  stageEnteredAt: '2026-11-17T12:00:00.000Z',
  procedureId: null,
  procedureText: 'nose job',
  assignedSalesRepId: person,
  assignedProviderId: null,
  lastContactDate: '2026-11-19T15:04:05.678Z',
  nextFollowUpDate: null,
  consentToCommunicate: true,
  importSource: null,
  weightLossMedication: null,
  weightLossFromChart: false,
  requiresSpecialistConsult: false,
  specialistConsultType: null,
  specialistConsultReason: null,
  specialistResultsReceived: false,
  specialistResultsDate: null,
  specialistNotes: null,
  surgicalDate: null,
  revenueCents: 820_050,
  appointmentDate: null,
  appointmentTime: null,
  appointmentLocation: null,
  metadata: { landingPage: '/rhinoplasty', visits: 3, nested: { a: 1 } },
  firstAttribution: null,
  latestAttribution: null,
  createdAt: '2026-09-14T12:00:00.000Z',
  updatedAt: '2026-11-17T12:00:00.000Z',
}

const add = (values: Partial<ContactFormValues>, situation = {}) =>
  checkContact({ ...blankValues, ...values }, { ...now, base: null, ...situation })
const edit = (values: Partial<ContactFormValues>, base = stored, situation = {}) =>
  checkContact({ ...valuesOf(base, timeZone), ...values }, { ...now, base, ...situation })

describe('a new contact', () => {
  const name = { firstName: ' Zoé ', lastName: 'Lavoie' }

  it('sends only filled fields, trimmed', () => {
    expect(add({ ...name, phone: ' 905 555 0142 ', revenueCents: '$8,200.50', consentToCommunicate: true })).toEqual({
      fields: {
        firstName: 'Zoé',
        lastName: 'Lavoie',
        phone: '905 555 0142',
        revenueCents: 820_050,
        consentToCommunicate: true,
        status: 'active',
      },
    })
  })
  it("returns the contract's messages and its own", () => {
    expect(add({ ...name, phone: 'ext 12' })).toEqual({ errors: { phone: formMessages.phone } })
    expect(add({ email: 'marie@', revenueCents: 'a lot', surgicalDate: '0002-01-01' })).toEqual({
      errors: {
        firstName: 'First name is required',
        lastName: 'Last name is required',
        email: 'Please enter a valid email address',
        surgicalDate: 'Enter a year between 1900 and 2200',
        revenueCents: formMessages.amount,
      },
    })
  })
  it("reads dates and times in the practice's time zone, at 9:00 by default", () => {
    expect(add({ ...name, nextFollowUpDate: '2026-11-23' })).toMatchObject({ fields: { nextFollowUpDate: '2026-11-23T14:00:00.000Z' } })
    expect(add({ ...name, nextFollowUpDate: '2026-07-01', nextFollowUpTime: '16:30' })).toMatchObject({
      fields: { nextFollowUpDate: '2026-07-01T20:30:00.000Z' },
    })
    expect(add({ ...name, appointmentTime: '10:15' })).toEqual({ errors: { appointmentDate: formMessages.timeAlone } })
  })
  it('never sends clinical fields for a user who may not see them', () => {
    expect(add({ ...name, notes: 'x', weightLossMedication: 'y' }, { clinical: false })).toEqual({
      fields: { firstName: 'Zoé', lastName: 'Lavoie', status: 'active' },
    })
  })
  it('requires a unique name for each detail', () => {
    const details = (...names: string[]) => add({ ...name, metadata: names.map((detail) => ({ name: detail, value: '1' })) })
    expect(details('a', 'b')).toMatchObject({ fields: { metadata: { a: '1', b: '1' } } })
    expect(details('a', 'a')).toEqual({ errors: { metadata: formMessages.detailName } })
    expect(details('')).toEqual({ errors: { metadata: formMessages.detailName } })
  })
})

describe('a stored contact', () => {
  it('sends nothing when nothing was changed', () => {
    expect(edit({})).toEqual({ fields: {} })
  })
  it('sends and validates only changed fields', () => {
    expect(edit({ phone: '(905) 555-0143', city: ' Oakville ', procedureOfInterest: '' })).toEqual({
      fields: { phone: '(905) 555-0143', procedureOfInterest: null },
    })
    expect(edit({ email: 'still wrong' })).toEqual({ errors: { email: 'Please enter a valid email address' } })
  })
  it('refuses an invalid amount, even if there was none before', () => {
    expect(edit({ revenueCents: 'x' }, { ...stored, revenueCents: null })).toEqual({ errors: { revenueCents: formMessages.amount } })
  })
  it('keeps the value types of unchanged details', () => {
    const [first, ...others] = valuesOf({ ...stored, metadata: { landingPage: '/a', visits: 3 } }, timeZone).metadata
    const base = { ...stored, metadata: { landingPage: '/a', visits: 3 } }
    expect(edit({ metadata: [{ name: first?.name ?? '', value: '/b' }, ...others] }, base)).toEqual({
      fields: { metadata: { landingPage: '/b', visits: 3 } },
    })
    expect(edit({ metadata: [] }, base)).toEqual({ fields: { metadata: null } })
  })
})

describe('a specialist consult (spec 4)', () => {
  const consult = { requiresSpecialistConsult: true, specialistConsultType: 'Otolaryngology', specialistConsultReason: 'deviated septum' }
  const required: ContactData = { ...stored, ...consult }

  it('requires type and reason, and adds a dated note', () => {
    expect(edit({ requiresSpecialistConsult: true })).toEqual({
      errors: { specialistConsultType: consultMessages.type, specialistConsultReason: consultMessages.reason },
    })
    expect(edit(consult)).toEqual({
      fields: { ...consult, notes: 'Prefers texts.\nNov 20, 2026: Specialist consult required (Otolaryngology): deviated septum' },
    })
  })
  it('accepts fields that an import left empty, but not cleared ones', () => {
    const imported = { ...required, specialistConsultReason: null }
    expect(edit({ city: 'Acton' }, imported)).toEqual({ fields: { city: 'Acton' } })
    expect(edit({ specialistConsultType: '' }, imported)).toEqual({ errors: { specialistConsultType: consultMessages.type } })
  })
  it('sets the date of received results, and adds two notes', () => {
    expect(edit({ specialistResultsReceived: true }, required)).toEqual({
      fields: {
        specialistResultsReceived: true,
        specialistResultsDate: '2026-11-20',
        notes: 'Prefers texts.\nNov 20, 2026: Specialist results received (Otolaryngology)',
        specialistNotes: 'Nov 20, 2026: Results received',
      },
    })
  })
  it('clears all fields when it is no longer required', () => {
    const done = { ...required, specialistResultsReceived: true, specialistResultsDate: '2026-11-01', specialistNotes: 'All clear' }
    expect(edit({ requiresSpecialistConsult: false }, done)).toEqual({
      fields: {
        requiresSpecialistConsult: false,
        specialistConsultType: null,
        specialistConsultReason: null,
        specialistResultsReceived: false,
        specialistResultsDate: null,
        specialistNotes: null,
      },
    })
  })
})
