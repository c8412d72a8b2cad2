import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { updateDateEvidence, guessFields } from '../rules.ts'
import { readDue } from './record-rows.ts'
import { readBoolean, readCents, readDay, readInstant, readTime, splitName, splitTags } from './values.ts'

describe('values from other software', () => {
  it.each([
    ['$1,234.50', 123_450],
    ['1234', 123_400],
    ['CAD 1 234,50', 123_450],
    ['1.234,50 €', 123_450],
    ['0.5', 50],
    ['1,234', 123_400],
    ['12,5', 1_250],
    ['1.234', undefined],
    ['-5', undefined],
    ['twelve', undefined],
    ['1,23,4', undefined],
  ])('reads the amount %j as %j cents', (text, cents) => expect(readCents(text)).toBe(cents))

  it('reads back every amount in cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (cents) => {
        const digits = String(cents).padStart(3, '0')
        const [dollars, rest] = [digits.slice(0, -2), digits.slice(-2)]
        expect(readCents(`$${dollars.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`)).toBe(cents)
        expect(readCents(`${dollars},${rest}`)).toBe(cents)
      }),
    )
  })

  it.each([
    ['2026-11-20', 'mdy', '2026-11-20'],
    ['2026/1/5', 'mdy', '2026-01-05'],
    ['11/20/2026', 'mdy', '2026-11-20'],
    ['20.11.2026', 'dmy', '2026-11-20'],
    ['3/4/26', 'mdy', '2026-03-04'],
    ['3/4/26', 'dmy', '2026-04-03'],
    ['3/4/85', 'mdy', '1985-03-04'],
    ['Nov 20, 2026', 'mdy', '2026-11-20'],
    ['20 November 2026', 'mdy', '2026-11-20'],
    ['Thu, Nov 26 2026', 'mdy', '2026-11-26'],
    ['20-Nov-2026', 'mdy', '2026-11-20'],
    ['2026-11-20T10:00:00Z', 'mdy', '2026-11-20'],
    ['2026-02-30', 'mdy', undefined],
    ['13/13/2026', 'mdy', undefined],
    ['1899-12-31', 'mdy', undefined],
    ['soon', 'mdy', undefined],
  ] as const)('reads the day %j (%s) as %j', (text, order, day) => expect(readDay(text, order)).toBe(day))

  it.each([
    ['14:30', '14:30'],
    ['2:30 PM', '14:30'],
    ['12:05 a.m.', '00:05'],
    ['2 pm', '14:00'],
    ['09:15:30', '09:15'],
    ['25:00', undefined],
    ['9', undefined],
    ['13:00 PM', undefined],
  ])('reads the time %j as %j', (text, time) => expect(readTime(text)).toBe(time))

  it.each([
    ['2026-11-20', '2026-11-20T14:00:00.000Z'], // the default time is nine
    ['2026-11-20 15:45', '2026-11-20T20:45:00.000Z'],
    ['7/4/2026 3:45 PM', '2026-07-04T19:45:00.000Z'], // summer time
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20 noon', undefined],
  ])('reads the instant %j in Toronto as %j', (text, instant) =>
    expect(readInstant(text, 'mdy', 'America/Toronto')?.toISOString()).toBe(instant),
  )

  it.each([
    ['Ana Silva', 'Ana', 'Silva'],
    ['Silva, Ana Maria', 'Ana Maria', 'Silva'],
    ['Ana Maria Silva', 'Ana Maria', 'Silva'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Maria de la Cruz', 'Maria', 'de la Cruz'],
    ['Cher', 'Cher', ''],
  ])('splits the name %j into %j and %j', (text, firstName, lastName) => expect(splitName(text)).toEqual({ firstName, lastName }))

  it.each([
    ['spaces', `2026-11-20${' '.repeat(1_000_000)}x`],
    ['the T of a time', `2026-11-20${'T'.repeat(1_000_000)}x`],
    ['digits and commas', `1${',000'.repeat(250_000)}x`],
  ])('rejects a cell with a million characters of %s without delay', (_what, cell) => {
    const zone = 'America/Toronto'
    expect([readCents(cell), readDay(cell, 'mdy'), readTime(cell), readInstant(cell, 'mdy', zone), readDue(cell, 'mdy', zone)]).toEqual(
      Array.from({ length: 5 }),
    )
  })

  it('reads yes, no and tags', () => {
    expect(['Yes', 'TRUE', '1', 'no', 'False', '0', 'maybe'].map(readBoolean)).toEqual([true, true, true, false, false, false, undefined])
    expect(splitTags('VIP; spring, 2026 ;vip;')).toEqual(['vip', 'spring, 2026'])
    expect(splitTags('VIP, spring')).toEqual(['VIP', 'spring'])
  })

  it.each([
    [['3/4/2026', '5/6/2026'], 'either'],
    [['3/4/2026', '13/4/2026'], 'dmy'],
    [['3/4/2026', '4/13/2026'], 'mdy'],
    [['4/4/2026'], 'none'],
    [['2026-03-04', 'x'], 'none'],
  ] as const)('detects the order of the dates %j as %s', (values, order) => {
    expect(values.reduce<Parameters<typeof updateDateEvidence>[0]>(updateDateEvidence, 'none')).toBe(order)
  })
})

describe('guessing columns by headers', () => {
  const guess = (headers: string) =>
    guessFields('patients', headers.split(','))
      .map((field) => field ?? '-')
      .join(' ')

  it.each([
    [
      'HubSpot',
      'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Lead Status,Original Source,Street Address,State/Region,Postal Code',
      '- firstName lastName email phone assignedSalesRepId funnelStage leadSource address state zipCode',
    ],
    [
      'Salesforce',
      'Salutation,First Name,Last Name,Title,Account Name,Mailing Street,Mailing City,Mailing State/Province,Mailing Zip/Postal Code,Phone,Mobile,Email,Lead Owner,Lead Source,Description',
      '- firstName lastName title company address city state zipCode phone - email assignedSalesRepId leadSource notes',
    ],
    [
      'Jane',
      'Patient Number,First Name,Last Name,Email,Mobile Phone,Home Phone,Street Address,City,Province,Postal,Referral Source,Practitioner',
      '- firstName lastName email phone - address city state zipCode leadSource assignedProviderId',
    ],
    ['a spreadsheet', 'Patient,E-MAIL,Cell,Procedure,Prénom', 'fullName email phone procedureOfInterest -'],
    ['a file with a repeated header', 'Email,Email,Name', 'email - fullName'],
  ])('maps the columns of %s', (_program, headers, fields) => expect(guess(headers)).toBe(fields))
})
