import { describe, expect, it } from 'vitest'
import { testSecret } from '../../test/database.ts'
import { readEnv } from '../kernel/env.ts'
import { asDomain, domainProblem, isOfCompany, senderProblem } from './domains.ts'

describe('the practice’s domains', () => {
  it('match addresses at the domain in any case, but not at subdomains or similar domains', () => {
    const domains = ['Clinic.example', 'surgery.example']
    for (const email of ['ana@clinic.example', 'ANA@CLINIC.EXAMPLE', 'bo@surgery.example', '"a@evil.example"@clinic.example'])
      expect([email, isOfCompany(email, domains)]).toEqual([email, true])
    for (const email of [
      'ana@mail.clinic.example',
      'ana@clinic.example.evil.example',
      'ana@myclinic.example',
      'clinic.example@evil.example',
      '',
    ])
      expect([email, isOfCompany(email, domains)]).toEqual([email, false])
    expect(isOfCompany('ana@clinic.example', [])).toBe(false)
  })

  it('must be valid domains, and not ones where anyone can get an address', () => {
    expect([' Clinic.Example ', '@clinic.example'].map(asDomain)).toEqual(['clinic.example', 'clinic.example'])
    for (const domain of ['clinic.example', 'a-b.co.uk', 'xn--bcher-kva.example', 'mail.gmail.com.example'])
      expect(domainProblem(domain)).toBeNull()
    for (const domain of [
      'clinic',
      'clinic.',
      '.example',
      'ana@clinic.example',
      '*.example',
      'a b.example',
      '-a.example',
      `${'a'.repeat(64)}.example`,
    ])
      expect([domain, domainProblem(domain)]).toEqual([domain, 'Enter domains like clinic.example'])
    expect(domainProblem('gmail.com')).toBe('Anyone can have an address at gmail.com and would get access')
  })

  it('refuse a sender at a domain whose DMARC policy rejects other servers', () => {
    expect(senderProblem('desk@clinic.example')).toBeNull()
    expect(senderProblem('clinic@Outlook.com')).toContain('outlook.com would be refused')
  })

  it('stop the server from starting with a public email domain', () => {
    const start = (COMPANY_DOMAINS: string) => readEnv({ APP_SECRET: testSecret, COMPANY_DOMAINS }).COMPANY_DOMAINS
    expect(start(' Clinic.example, @surgery.example')).toEqual(['clinic.example', 'surgery.example'])
    expect(() => start('clinic.example,yahoo.ca')).toThrow(
      'COMPANY_DOMAINS cannot be used. Anyone can have an address at yahoo.ca and would get access',
    )
  })
})
