/** 2,000 customers, the same at each start. */
import type { Entity } from '../entity.ts'
import { pick, randomFrom } from '../../random.ts'
import { cities, companyNames, familyNames, givenNames, streets } from './names.ts'
import { record } from './record.ts'

const count = 2000
const seed = 20_240_115

export const customers: readonly Entity[] = people()

function people(): Entity[] {
  const random = randomFrom(seed)
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, index) => {
    const company =
      index % (count / companyNames.length) === 100 ? companyNames[Math.floor((index * companyNames.length) / count)] : undefined
    const given = pick(givenNames, random)
    const family = pick(familyNames, random)
    const active = index % 97 !== 96
    const plain = company ?? `${given} ${family}`
    let name = plain
    for (let twin = 2; taken.has(name.toLowerCase()); twin++) name = `${plain} (${twin})`
    taken.add(name.toLowerCase())
    const [City, PostalCode] = pick(cities, random)
    const withEmail = random() < 0.86
    const withPhone = random() < 0.8
    return record(index + 1, {
      ...(company ? { CompanyName: company } : { GivenName: given, FamilyName: family }),
      DisplayName: active ? name : `${name} (deleted)`,
      FullyQualifiedName: active ? name : `${name} (deleted)`,
      PrintOnCheckName: plain,
      Active: active,
      ...(withEmail && { PrimaryEmailAddr: { Address: emailOf(plain, index, random) } }),
      ...(withPhone && { PrimaryPhone: { FreeFormNumber: `(905) 555-${String(100 + (index % 100)).padStart(4, '0')}` } }),
      BillAddr: {
        Id: String(index + 2),
        Line1: `${1 + Math.floor(random() * 2400)} ${pick(streets, random)}`,
        City,
        CountrySubDivisionCode: 'ON',
        PostalCode,
        Country: 'Canada',
      },
      Taxable: true,
      Job: false,
      BillWithParent: false,
      Balance: 0,
      BalanceWithJobs: 0,
      CurrencyRef: { value: 'CAD', name: 'Canadian Dollar' },
      PreferredDeliveryMethod: 'None',
    })
  })
}

/** Some addresses have capital letters, and a few families share one. */
function emailOf(name: string, index: number, random: () => number): string {
  const family = name.split(' ').at(-1) ?? name
  const shared = random() < 0.01
  const local = ascii(shared ? `family ${family}` : name).replace(/[^a-z0-9]+/gi, '.')
  const address = `${local.replace(/^\.|\.$/g, '').toLowerCase()}${shared ? '' : index + 1}@${pick(['example.com', 'example.org', 'mail.example'], random)}`
  return random() < 0.05 ? address.charAt(0).toUpperCase() + address.slice(1) : address
}

/** Removes accents. Letters without a base letter, such as ł, are removed by the caller. */
function ascii(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}
