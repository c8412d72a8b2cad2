import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { insertContact } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { patientsWithPhone } from './match.ts'
import { readPhone } from './phones.ts'

describe('phone numbers in E.164', () => {
  const server = useServer()

  it.each([
    ['4165550101', '+14165550101'],
    ['(416) 555-0101', '+14165550101'],
    ['1-416-555-0101', '+14165550101'],
    ['+1 416 555 0101', '+14165550101'],
    ['416.555.0101 ext. 22', '+14165550101'],
    ['416 555 0101 x7', '+14165550101'],
    ['+44 (0)20 7946 0018', '+442079460018'],
    ['0044 20 7946 0018', '+442079460018'],
    ['011 44 20 7946 0018', '+442079460018'],
    ['555 0101', null],
    ['1165550101', null],
    ['call her sister', null],
    ['', null],
  ])('normalizes %j to %s', async (phone, expected) => {
    expect(await server.rows('select phone_e164($1) as phone', [phone])).toEqual([{ phone: expected }])
  })

  it('lists all patients with one number, in any format (issue 28)', async () => {
    const { db } = server.running.runtime
    const mother = await insertContact(server, { phone: '(905) 555-0177' })
    const daughter = await insertContact(server, { phone: '905 555 0199', otherPhones: ['+1 905-555-0177 ext. 4'] })
    const found = await patientsWithPhone(db, '+19055550177')
    expect(found.map(({ id }) => id).toSorted()).toEqual([mother, daughter].toSorted())
    expect(await patientsWithPhone(db, '+19055550178')).toEqual([])
  })

  it('reads the same number as the database, however it is written (issue 28)', async () => {
    const digits = fc.tuple(
      fc.constantFrom('416', '905', '514', '604', '212'),
      fc.integer({ min: 200, max: 999 }),
      fc.integer({ min: 0, max: 9999 }),
    )
    const formats = [
      (a: string, b: string, c: string) => `${a}${b}${c}`,
      (a: string, b: string, c: string) => `(${a}) ${b}-${c}`,
      (a: string, b: string, c: string) => `1-${a}-${b}-${c}`,
      (a: string, b: string, c: string) => `+1 ${a}.${b}.${c}`,
      (a: string, b: string, c: string) => `${a} ${b} ${c} ext. 12`,
    ]
    await fc.assert(
      fc.asyncProperty(digits, fc.constantFrom(...formats), async ([area, exchange, line], format) => {
        const phone = readPhone(format(area, String(exchange), String(line).padStart(4, '0')))
        fc.pre(phone !== null)
        const typed = format(area, String(exchange), String(line).padStart(4, '0'))
        expect(await server.rows('select phone_e164($1) as number', [typed])).toEqual([{ number: phone.number }])
      }),
      { numRuns: 100 },
    )
  })
})

describe('readPhone', () => {
  it.each([
    ['4165550142', '+14165550142', 'either', 'CA'],
    ['(905) 555-0142 x204', '+19055550142', 'either', 'CA'],
    ['212 555 0142', '+12125550142', 'either', 'US'],
    ['876 455 0142', '+18764550142', 'mobile', 'JM'],
    ['+881 6 1234 5678', '+881612345678', 'mobile', null],
    ['800-555-0100', '+18005550100', 'other', 'US'],
    ['+33 6 12 34 56 78', '+33612345678', 'mobile', 'FR'],
    ['0033 1 42 68 53 00', '+33142685300', 'landline', 'FR'],
    ['011 44 20 7946 0018', '+442079460018', 'landline', 'GB'],
  ])('reads %j as %s, %s, of %s (issue 28)', (typed, number, kind, country) => expect(readPhone(typed)).toEqual({ number, kind, country }))

  it.each(['555 0101', '1165550101', 'call her sister', '', 'call 416 555 0142', '+1', '4'.repeat(51)])(
    'reads no number in %j (issue 28)',
    (typed) => expect(readPhone(typed)).toBeNull(),
  )

  it('never throws, and gives E.164 only (issue 28)', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (typed) => {
        const phone = readPhone(typed)
        if (phone) expect(phone.number).toMatch(/^\+[1-9]\d{6,14}$/)
      }),
    ))
})
