import { describe, expect, it } from 'vitest'
import { useServer } from '../../../../test/server.ts'

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
})
