import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGreetable, isLeadName, normaliseLead, readLead } from './rules.ts'
import { flatten } from './reading/read-body.ts'

/** The input names of spec 5, copied verbatim. */
const inputNames = {
  firstName: ['firstName', 'first_name', 'fname', 'given_name'],
  lastName: ['lastName', 'last_name', 'lname', 'surname', 'family_name'],
  email: ['email', 'email_address'],
  phone: ['phone', 'phone_number', 'mobile', 'telephone'],
  procedure: ['procedure', 'treatment', 'service', 'interest'],
  source: ['source', 'lead_source', 'utm_source'],
}
type Field = keyof typeof inputNames
const fields = Object.keys(inputNames) as Field[]
const required = { first_name: 'Ana', last_name: 'Silva', email: 'ana@example.com' }

describe('lead normalization (spec 5)', () => {
  it.each(fields.flatMap((field) => inputNames[field].map((name) => [field, name] as const)))('reads %s from %s', (field, name) => {
    expect(readLead({ [name]: ' value ' })).toMatchObject({ [field]: 'value' })
    expect(isLeadName(name)).toBe(true)
  })

  it.each([
    ['dots after an @', `a@${'.'.repeat(2_000_000)}@`],
    ['digits', '1'.repeat(2_000_000)],
    ['spaces', `a${' '.repeat(2_000_000)}b`],
  ])('reads a value and a name of two million characters of %s without delay', (_what, text) => {
    const lead = flatten({
      'Your E-mail': text,
      'Full Name': 'Ana Silva',
      form_id: 1,
      '1.3': text,
      '1': text,
      [text]: text,
      [`${text}.3`]: 'x',
    })
    expect([lead.email, lead.firstName]).not.toContain('ana@example.com')
  })

  it.each(fields)('reads %s from the first of its names with a non-empty string, in any order of fields', (field) => {
    const names = inputNames[field]
    const all = Object.fromEntries(names.map((name) => [name, name]).toReversed())
    for (const [i, name] of names.entries()) {
      expect(readLead(all)[field]).toBe(name)
      all[name] = ['', '  ', '\t\n'][i % 3] ?? ''
    }
    expect(readLead(all)[field]).toBeNull()
  })

  it.each([12, true, null, undefined, {}, ['x'], { 0: 'x' }])('skips %o, which is not a string, and tries the next name', (value) => {
    expect(readLead({ phone: value, mobile: '416' }).phone).toBe('416')
    expect(normaliseLead({ ...required, email: value })).toBeNull()
  })

  it.each(['first_name', 'last_name', 'email'])('requires %s, but not phone, procedure and source', (name) => {
    expect(normaliseLead({ ...required, phone: '1', [name]: ' ' })).toBeNull()
    expect(normaliseLead(required)).toEqual({
      firstName: 'Ana',
      lastName: 'Silva',
      email: 'ana@example.com',
      phone: null,
      procedure: null,
      source: null,
      referredBy: null,
    })
  })

  it('matches names exactly and ignores prototypes', () => {
    expect(readLead({ 'First Name': 'x', FIRSTNAME: 'x', Email: 'x' })).toMatchObject({ firstName: null, email: null })
    expect(readLead(Object.create(required) as Record<string, unknown>)).toMatchObject({ firstName: null, email: null })
    expect(readLead(JSON.parse('{"__proto__":{"first_name":"x","email":"x"}}') as Record<string, unknown>)).toMatchObject({
      firstName: null,
      email: null,
    })
  })

  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('', ' ', '\t', ' x ', 'Ana'),
    fc.integer(),
    fc.constant(null),
    fc.constant({ a: 'b' }),
  )
  const name = fc.oneof(
    fc.constantFrom(...Object.values(inputNames).flat()),
    fc.constantFrom('data', 'payload', 'First Name', 'EMAIL', 'entry', 'form_id', '__proto__', '1.3'),
  )
  const body = fc.dictionary(name, value)

  it('follows the rule for any body', () => {
    fc.assert(
      fc.property(body, (sent) => {
        for (const field of fields) {
          const strings = inputNames[field]
            .map((candidate) => (Object.hasOwn(sent, candidate) ? sent[candidate] : null))
            .filter((found) => typeof found === 'string')
          const expected = strings.map((found) => found.trim()).find((found) => found !== '') ?? null
          expect(readLead(sent)[field]).toBe(expected)
        }
        const { firstName, lastName, email } = readLead(sent)
        expect(normaliseLead(sent) === null).toBe(!(firstName && lastName && email))
      }),
    )
  })

  it('gives top-level fields precedence over wrapped ones', () => {
    fc.assert(
      fc.property(
        body,
        fc.record(
          {
            payload: fc.record({ data: body }),
            data: body,
            form_response: fc.jsonValue(),
            field_data: fc.jsonValue(),
            entry: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
        (sent, wrapping) => {
          const whole = { ...wrapping, ...sent }
          const exact = readLead(whole)
          const found = flatten(whole)
          for (const field of fields) if (exact[field] !== null) expect(found[field]).toBe(exact[field])
        },
      ),
    )
  })

  it('never throws for any JSON', () => {
    const anything = fc.dictionary(
      fc.oneof(
        name,
        fc.constantFrom('form_response', 'field_data', 'answers', 'hidden', 'definition', 'field', 'type', 'values', 'full_name'),
      ),
      fc.jsonValue(),
    )
    fc.assert(fc.property(anything, (sent) => void normaliseLead(flatten(sent))))
  })
})

describe('names of leads', () => {
  it('are reduced to one line without bidirectional control characters', () => {
    const lead = { first_name: 'Zoë\r\nBcc: all@clinic.example', last_name: '\u202EavliS', email: 'zoe@elsewhere.example' }
    expect(normaliseLead(lead)).toMatchObject({ firstName: 'Zoë Bcc: all@clinic.example', lastName: 'avliS' })
    expect(normaliseLead({ ...lead, last_name: '\u202E \r\n' })).toBeNull()
  })

  it.each([
    ['Ana', true],
    ['Mary St.John', true],
    ['Nguyễn Thị Ánh', true],
    ['👩‍⚕️ Zoë', true],
    ['WIN $500: https://evil.example/claim', false],
    ['www.evil.example', false],
    ['evil.example/claim', false],
    ['write to x@evil.example', false],
    ['x'.repeat(61), false],
    ['Ana 3rd', true],
    ['call 1-900-555-0199 today', false],
    ['{{company_phone}}', false],
  ])('%s can be used in the greeting of a message: %s', (name, expected) => expect(isGreetable(name)).toBe(expected))
})
