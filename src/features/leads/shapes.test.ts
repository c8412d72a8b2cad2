import { describe, expect, it } from 'vitest'
import { leadBodies } from '../../../test/lead-bodies.ts'
import { normaliseLead } from './rules.ts'
import { type Fields, flatten } from './shapes.ts'

const lead = (
  firstName: string,
  lastName: string,
  email: string,
  phone: string | null,
  procedure: string | null = null,
  source: string | null = null,
) => ({
  firstName,
  lastName,
  email,
  phone,
  procedure,
  source,
})

/** What each of test/lead-bodies says. */
const expected: Record<string, ReturnType<typeof lead> | null> = {
  'html-form.txt': lead('Zoë', "O'Brien-Li", 'zoe.obrien@example.com', '(416) 555-0173', 'Rhinoplasty', 'google ads'),
  'webflow.json': lead('Priya', 'Natarajan', 'Priya.Natarajan@example.com', '16475550188', 'Tummy Tuck'),
  'webflow-v1.json': lead('Aisha', 'Khan', 'aisha.khan@example.com', '905-555-0111'),
  'typeform.json': lead('Chloé', 'Bouchard', 'chloe.bouchard@example.com', '+16135550147', 'Liposuction', 'instagram'),
  'typeform-contact-info.json': lead('Daniel', 'Okafor', 'daniel.okafor@example.com', '+12265550109', 'Facelift, Eyelids'),
  'facebook-lead.json': lead('María José De la', 'Cruz', 'maria.delacruz@example.com', '+14375550162', 'Lip filler', 'Facebook'),
  'facebook-lead-names.json': lead('Thomas', 'Nguyễn', 'thomas.nguyen@example.com', '+15195550133', null, 'Facebook'),
  'facebook-leadgen-notification.json': null, // it tells that there is a lead, not what it says
  'gravity-forms.json': lead('Sofia', 'Rossi', 'sofia.rossi@example.com', '(289) 555-0120'),
  'gravity-forms.txt': lead('Marc-André', 'Lévesque', 'marc.levesque@example.com', '819 555 0199'),
}

describe('issue 2: leads as form tools send them', () => {
  it('there is an expectation for each body', () => {
    expect(leadBodies.map(({ file }) => file).toSorted()).toEqual(Object.keys(expected).toSorted())
  })

  it.each(leadBodies)('$file', ({ file, contentType, body }) => {
    const sent = contentType === 'application/json' ? (JSON.parse(body) as Fields) : Object.fromEntries(new URLSearchParams(body))
    expect(normaliseLead(flatten(sent))).toEqual(expected[file])
  })

  it('names that differ in case, spaces and hyphens only are read where the exact ones are missing', () => {
    expect(flatten({ 'First Name': 'Ana', 'Last-Name': 'Silva', EMAIL: 'ana@example.com' })).toMatchObject({
      firstName: 'Ana',
      lastName: 'Silva',
      email: 'ana@example.com',
    })
    expect(flatten({ FIRST_NAME: 'other', fname: 'Ana', Email: 'other', email_address: 'ana@example.com' })).toMatchObject({
      firstName: 'Ana',
      email: 'ana@example.com',
    })
  })

  it('Typeform: answers before hidden fields, the first answer of a kind before later ones', () => {
    const answer = (email: string, id: string) => ({ type: 'email', email, field: { id, ref: id } })
    const form = {
      hidden: { email: 'hidden@example.com', phone: '416' },
      answers: [answer('mine@example.com', 'a1'), answer('theirs@example.com', 'b2')],
    }
    expect(flatten({ form_response: form })).toMatchObject({ email: 'mine@example.com', phone: '416' })
  })

  it('Gravity Forms: a date or an amount is no phone, an address no name', () => {
    const found = flatten({
      form_id: 1,
      '1.1': 'Street',
      '1.3': 'City',
      '1.6': 'Country',
      '2': '2026-11-20',
      '3': '1500000',
      '4': '1-905-555-0123',
    })
    expect(found).toMatchObject({ firstName: null, lastName: null, phone: '1-905-555-0123' })
  })
})
