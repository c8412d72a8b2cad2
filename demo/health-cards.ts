import type pg from 'pg'
import { seal } from '../src/kernel/seal.ts'
import { hasCheckDigit, lastFour, sealPurpose } from '../src/crm/health-cards/rules.ts'
import { copyInto, copyLine } from './copy.ts'
import { createRandom, type Random, uuidv7 } from './random.ts'

type Person = { id: string; last_name: string; first_name: string; date_of_birth: string; sex_at_birth: string; created_at: Date }

/** So many at most: each number is encrypted by itself. */
const maxCards = 5_000

/** A number with a valid check digit that begins with 0, as no real one does. */
function ontarioNumber(random: Random): string {
  const digits = `0${String(random.int(0, 99_999_999)).padStart(8, '0')}`
  return Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).find(hasCheckDigit)!
}

/** Three letters of the last name, one of the first, then the birth date (the month of women plus 50) and two more digits. */
function quebecNumber({ last_name, first_name, date_of_birth, sex_at_birth }: Person, random: Random): string {
  const letters = (name: string) =>
    name
      .normalize('NFKD')
      .replace(/[^a-z]/gi, '')
      .toUpperCase()
  const [year = '', month = '', day = ''] = date_of_birth.split('-')
  const coded = String(Number(month) + (sex_at_birth === 'female' ? 50 : 0)).padStart(2, '0')
  return `${letters(last_name).padEnd(3, 'X').slice(0, 3)}${letters(first_name).padEnd(1, 'X')[0]}${year.slice(2)}${coded}${day}${random.int(10, 99)}`
}

/** Health cards of the patients whose sex at birth is recorded: they were asked at their first visit. */
export async function addHealthCards(client: pg.Client, secret: string, seed: number): Promise<void> {
  const random = createRandom(seed)
  const { rows } = await client.query<Person>(
    `select id, last_name, first_name, date_of_birth::text, sex_at_birth, created_at from contacts
     where sex_at_birth is not null and date_of_birth is not null order by seq desc limit $1`,
    [maxCards],
  )
  const lines = rows.map((person) => {
    const isOntario = random.chance(0.96)
    const number = isOntario ? ontarioNumber(random) : quebecNumber(person, random)
    const versionCode = isOntario && random.chance(0.8) ? String.fromCharCode(random.int(65, 90), random.int(65, 90)) : null
    const at = person.created_at.toISOString()
    const id = uuidv7(person.created_at.getTime(), random.bits(12), random)
    const sealed = seal({ APP_SECRET: secret }, sealPurpose, number)
    return copyLine([id, 1, person.id, isOntario ? 'ON' : 'QC', sealed, lastFour(number), versionCode, at, at])
  })
  const columns = 'id version contact_id province sealed_number last_digits version_code created_at updated_at'.split(' ')
  await copyInto(client, 'health_cards', columns, lines)
}
