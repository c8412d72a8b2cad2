import { describe, expect, it } from 'vitest'
import { readFields, leadBodies } from '../../../../test/lead-bodies.ts'
import { normaliseLead } from '../rules.ts'
import { flatten, receivedFields } from './read-body.ts'

const lead = (
  firstName: string,
  lastName: string,
  email: string,
  phone: string | null,
  procedure: string | null = null,
  source: string | null = null,
  referredBy: string | null = null,
) => ({
  firstName,
  lastName,
  email,
  phone,
  procedure,
  source,
  referredBy,
})

/** The lead in each of test/lead-bodies. */
const expected: Record<string, ReturnType<typeof lead> | null> = {
  'html-form.txt': lead('Zoë', "O'Brien-Li", 'zoe.obrien@example.com', '(416) 555-0173', 'Rhinoplasty', 'google ads'),
  'webflow.json': lead('Priya', 'Natarajan', 'Priya.Natarajan@example.com', '16475550188', 'Tummy Tuck'),
  'webflow-v1.json': lead('Aisha', 'Khan', 'aisha.khan@example.com', '905-555-0111'),
  'typeform.json': lead('Chloé', 'Bouchard', 'chloe.bouchard@example.com', '+16135550147', 'Liposuction', 'instagram'),
  'typeform-contact-info.json': lead('Daniel', 'Okafor', 'daniel.okafor@example.com', '+12265550109', 'Facelift, Eyelids'),
  'facebook-lead.json': lead('María José', 'De la Cruz', 'maria.delacruz@example.com', '+14375550162', 'Lip filler', 'Facebook'),
  'facebook-lead-names.json': lead('Thomas', 'Nguyễn', 'thomas.nguyen@example.com', '+15195550133', null, 'Facebook'),
  'facebook-leadgen-notification.json': null, // a notification without the lead's data
  'gravity-forms.json': lead('Sofia', 'Rossi', 'sofia.rossi@example.com', '(289) 555-0120'),
  'contact-form-7.json': lead('Grace', 'van Dijk', 'grace.vandijk@example.com', '705-555-0150', 'Tummy tuck, Liposuction'),
  'elementor.txt': lead('Fay', 'De La Cruz', 'fay.delacruz@example.com', '(905) 555-0141', 'Rhinoplasty, Botox'),
  'elementor-advanced.txt': lead('Anna', 'van der Berg', 'anna.vanderberg@example.com', '416-555-0142', 'Facelift, Eyelids'),
  'google-ads.json': lead('Minh Anh', 'Nguyễn', 'minhanh.nguyen@example.com', '+16475550147', 'Mommy makeover', 'Google Ads'),
  'hubspot.json': lead('Oksana', 'Kovalenko', 'oksana.kovalenko@example.com', '+1 289 555 0145', 'Breast reduction'),
  'hubspot-crm.json': lead('Liam', "O'Sullivan", 'liam.osullivan@example.com', '+14375550146'),
  'jotform.multipart': lead('Chidi', 'Anagonye', 'chidi.anagonye@example.com', '(647) 555-0144', 'Liposuction, Tummy tuck'),
  'leadpages.json': lead('Zainab', 'Yusuf', 'zainab.yusuf@example.com', '289-555-0153', null, 'newsletter'),
  'linkedin.json': lead('Sarah', 'Levi', 'sarah.levi@example.com', '+14165550157', null, 'LinkedIn'),
  'make.json': lead('Ravi', 'Kumar', 'ravi.kumar@example.com', '+19055550155', 'Hair transplant, PRP'),
  'ninja-forms.txt': lead('Hyun-woo', 'Park', 'hyunwoo.park@example.com', '613 555 0151'),
  'single-name.txt': lead('Sinéad', 'Ní Bhriain', 'sinead@example.com', null, 'Botox, Lip filler'),
  'squarespace-zapier.json': lead('Noor', 'Haddad', 'noor.haddad@example.com', '(519) 555-0148', 'Eyelid surgery'),
  'tiktok.json': lead('Ada', 'Okonkwo', 'ada.okonkwo@example.com', '+14165550156', 'Lip filler', 'TikTok'),
  'unbounce.json': lead('Tom', 'Li', 'tom.li@example.com', '902-555-0152', 'Facelift, Neck lift'),
  'unbounce.txt': lead('Isla', 'MacDonald', 'isla.macdonald@example.com', '902-555-0152', 'Facelift, Neck lift'),
  'wix.json': lead('Yuki', 'Tanaka', 'yuki.tanaka@example.com', '+14165550143', 'Lip filler, Botox'),
  'wpforms.json': lead('Émilie', 'Tremblay', 'emilie.tremblay@example.com', '+15145550149', 'Injectables'),
  'zapier.txt': lead('Maria João', 'dos Santos', 'maria.dossantos@example.com', '+14165550154', 'Rhinoplasty', 'facebook'),
  'gravity-forms.txt': lead('Marc-André', 'Lévesque', 'marc.levesque@example.com', '819 555 0199'),
}

describe('leads sent by form tools', () => {
  it('are all tested', () => {
    expect(leadBodies.map(({ file }) => file).toSorted()).toEqual(Object.keys(expected).toSorted())
  })

  it.each(leadBodies)('$file', async (lead) => {
    expect(normaliseLead(flatten(await readFields(lead)))).toEqual(expected[lead.file])
  })

  it('may have names that differ in case, spaces and hyphens if the exact ones are missing', () => {
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

  it.each([
    [
      'a friend’s name comes after the sender’s',
      { 'First name': 'Ana', 'Last name': 'Silva', "Your friend's first name": 'Bea' },
      ['Ana', 'Silva'],
    ],
    ['the name of the form is not a person', { form_name: 'Consult', page_name: 'Landing', company_name: 'Acme' }, [null, null]],
    ['a first name next to a full name', { first_name: 'Fay', name: 'Fay De La Cruz' }, ['Fay', 'De La Cruz']],
    ['French forms', { Prénom: 'Chloé', Nom: 'Bouchard' }, ['Chloé', 'Bouchard']],
    ['one word is a first name', { name: 'Madonna' }, ['Madonna', null]],
    ['an object of two parts', { Name: { first: 'Ana', last: 'Silva' } }, ['Ana', 'Silva']],
    [
      'a list of fields',
      {
        fields: [
          { name: 'firstname', value: 'Ana' },
          { name: 'lastname', value: 'Silva' },
        ],
      },
      ['Ana', 'Silva'],
    ],
  ])('%s', (_, sent, [firstName, lastName]) => expect(flatten(sent)).toMatchObject({ firstName, lastName }))

  it.each([
    [{ 'May we email you?': 'yes', 'E-mail': 'ana@example.com' }, { email: 'ana@example.com' }],
    [
      { Courriel: 'ana@example.com', 'Numéro de téléphone': '514 555-0100' },
      { email: 'ana@example.com', phone: '514 555-0100' },
    ],
    [{ 'Your E-mail': 'Ana <ana@example.com>, a@example.com' }, { email: 'Ana <ana@example.com>, a@example.com' }],
    [{ 'Phone number': 4165550100, 'Best time to phone': 'evening' }, { phone: '4165550100' }],
    [{ 'Phone Number': { area: '416', phone: '555-0100' } }, { phone: '416 555-0100' }],
    [{ Phone: '416 555 0100 ext. 4' }, { phone: '416 555 0100 ext. 4' }],
    [{ interest: ['Botox', 'Lips'] }, { procedure: 'Botox, Lips' }],
  ])('are read from labels: %j', (sent, found) => expect(flatten(sent)).toMatchObject(found))

  it('are read from mapped fields first, then from the names of spec 5, then from labels', () => {
    const sent = {
      who: 'Silva, Ana',
      contact: 'ana@example.com',
      'Email address of a friend': 'bea@example.com',
      phone: '416 555 0100',
      alt: '1',
    }
    const map = { fullName: 'who', email: 'contact', phone: 'alt' }
    expect(flatten(sent, map)).toMatchObject({ firstName: 'Ana', lastName: 'Silva', email: 'ana@example.com', phone: '1' })
    expect(flatten({ ...sent, alt: ' ' }, map)).toMatchObject({ phone: '416 555 0100' })
    const names = { first_name: 'Mum', last_name: 'Lim', who: 'Ana Silva' }
    expect(flatten(names, map)).toMatchObject({ firstName: 'Ana', lastName: 'Silva' })
    expect(flatten({ ...names, who: 'Ana' }, map)).toMatchObject({ firstName: 'Ana', lastName: 'Lim' })
    expect(flatten(names)).toMatchObject({ firstName: 'Mum', lastName: 'Lim' })
    expect(flatten({ name: 'Ana Silva' }, map)).toMatchObject({ firstName: 'Ana', lastName: 'Silva', email: null })
  })

  it('are read up to a limited number and depth of fields', () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, 'x']))
    expect(receivedFields(wide)).toHaveLength(200)
    const deep = { 'a[b][c][d][e][f][g][h]': 'x', fields: JSON.parse(`${'{"a":'.repeat(50)}"x"${'}'.repeat(50)}`) as unknown }
    expect(receivedFields(deep)).toEqual([{ name: 'a[b][c][d][e][f][g][h]', value: 'x' }])
  })

  it('prefer Typeform answers to hidden fields, and the first answer of a type', () => {
    const answer = (email: string, id: string) => ({ type: 'email', email, field: { id, ref: id } })
    const form = {
      hidden: { email: 'hidden@example.com', phone: '416' },
      answers: [answer('mine@example.com', 'a1'), answer('theirs@example.com', 'b2')],
    }
    expect(flatten({ form_response: form })).toMatchObject({ email: 'mine@example.com', phone: '416' })
  })

  it('do not confuse a date or an amount with a phone, or an address with a name (Gravity Forms)', () => {
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
