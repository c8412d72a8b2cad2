import { type Identity, identityOf } from './identity.ts'
import { homeLanguage, isFrench, type Origin, pickOrigin } from './names.ts'
import { createPhones } from './phones.ts'
import { type Address, addressIn, pickCity } from './places.ts'
import { createRandom, type Random, weighted } from '../random.ts'

export type Person = Omit<Address, 'address' | 'city' | 'zipCode'> &
  Identity & {
    address: string | null
    city: string | null
    zipCode: string | null
    firstName: string
    lastName: string
    isWoman: boolean
    prefersFrench: boolean
    isFromAfar: boolean
    email: string | null
    phone: string | null
    company: string | null
    title: string | null
    dateOfBirth: string | null
    pronouns: string | null
    preferredLanguage: string | null
  }

const mailHosts = weighted([
  ['gmail.com', 44],
  ['hotmail.com', 11],
  ['outlook.com', 8],
  ['icloud.com', 8],
  ['yahoo.ca', 7],
  ['rogers.com', 6],
  ['bell.net', 4],
  ['sympatico.ca', 3.5],
  ['cogeco.ca', 3.5],
  ['live.ca', 2],
  ['telus.net', 1],
  ['videotron.ca', 1],
  ['fastmail.ca', 0.5],
  ['utoronto.ca', 0.5],
])

const jobs =
  `Teacher, Registered nurse, Realtor, Dental hygienist, Bookkeeper, Project manager, Personal trainer, Hair stylist, Paralegal, Pharmacist,
  Electrician, Flight attendant, Graphic designer, Early childhood educator, Sales manager, Social worker, Paramedic, Restaurant owner, Accountant,
  Physiotherapist, Software developer, Esthetician, Police officer, HR manager, Retired, Student, Bank manager, Massage therapist`.split(
    /,\s+/,
  )
const employers =
  `Lakeshore Dental Group, Maple Ridge Realty, Harbour Physio, Trafalgar Accounting, Escarpment Law, Bronte Bakehouse, Northgate Logistics,
  Sixteen Mile Design, Halton Home Care, Glen Abbey Fitness, Blue Heron Interiors, Kerr Village Optical, Credit Valley Millwork, Rattlesnake Point Cycling,
  Clearwater HVAC, Red Oak Daycare, Appleby Animal Hospital, Burloak Insurance, Sunningdale Catering, Three Sisters Florist`.split(/,\s+/)

const letters: Record<string, string> = { ł: 'l', đ: 'd', ø: 'o', æ: 'ae', þ: 'th', ð: 'd', ı: 'i', ß: 'ss' }
const asciiNames = new Map<string, string>()

/** Reduces a name to the letters a to z for an email address. */
function toAscii(name: string): string {
  const found = asciiNames.get(name)
  if (found !== undefined) return found
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[łđøæþðıß]/g, (letter) => letters[letter]!)
  const result = plain.replace(/[^a-z]/g, '')
  asciiNames.set(name, result)
  return result
}

/** How people form an address from their name. */
const handles = weighted<(first: string, last: string, initials: string) => string>([
  [(first, last) => `${first}.${last}`, 34],
  [(first, last) => `${first}${last}`, 17],
  [(first, last) => `${first[0]}.${last}`, 10],
  [(first, last) => `${first[0]}${last}`, 11],
  [(_first, last, initials) => `${initials}.${last}`, 6],
  [(first, last) => `${first}_${last}`, 6],
  [(first, last) => `${first}.${last[0]}`, 6],
  [(first, last) => `${last}.${first}`, 5],
  [(first, last) => `${last}${first[0]}`, 5],
])

/**
 * Returns a generator of people, no two with the same email address or phone number. `count`: how many there will be; `withEmail`: this
 * person has an address. Each person has a random sequence of their own, by seed and position, so that the tenth is the same person
 * whatever happens to those before and at any hour.
 */
export function createPeople(count: number, seed: number): (withEmail: boolean) => Person {
  const phones = createPhones(count, createRandom(seed))
  let position = 0
  const taken = new Map<string, number>()

  const emailOf = (firstName: string, lastName: string, random: Random) => {
    const initials = firstName
      .split(/[\s-]/)
      .map((part) => toAscii(part)[0] ?? '')
      .join('')
    const handle = handles(random)(toAscii(firstName.split(' ')[0]!), toAscii(lastName), initials)
    const earlier = taken.get(handle) ?? 0
    taken.set(handle, earlier + 1)
    return `${handle}${numberSuffix(earlier)}@${mailHosts(random)}`
  }

  return (withEmail) => {
    const random = createRandom(seed + ++position * 2 ** 32)
    const origin = pickOrigin(random)
    const isWoman = random.chance(0.79)
    const city = pickCity(random, isFrench(origin))
    const [firstName, lastName] = nameFrom(origin, isWoman, random)
    const hasJob = random.chance(0.16)
    const place = addressIn(city, random)
    const completeness = random.next()
    const prefersFrench = isFrench(origin) && random.chance(city.bilingual ? 0.75 : 0.25)
    return {
      firstName,
      lastName,
      isWoman,
      prefersFrench,
      isFromAfar: city.far === true,
      phone: random.chance(0.98) ? phones(city, random) : null,
      // A form asks for the city; the full address comes with the chart.
      address: completeness < 0.6 ? place.address : null,
      city: completeness < 0.9 ? place.city : null,
      state: place.state,
      zipCode: completeness < 0.6 ? place.zipCode : null,
      company: hasJob && random.chance(0.5) ? random.pick(employers) : null,
      title: hasJob ? random.pick(jobs) : null,
      // Last, because it does not use a random number for everyone at every hour.
      email: withEmail || random.chance(0.94) ? emailOf(firstName, lastName, random) : null,
      ...chartOf(
        { firstName, lastName, isWoman, prefersFrench, origin, hasChart: completeness < 0.6 },
        createRandom(seed + position * 2 ** 32 + 2 ** 31),
      ),
    }
  }
}

type ChartInput = { firstName: string; lastName: string; isWoman: boolean; prefersFrench: boolean; origin: Origin; hasChart: boolean }

/** Fields from the chart, if there is one, and the preferred language. */
function chartOf(input: ChartInput, random: Random) {
  const { isWoman, prefersFrench, origin, hasChart } = input
  const month = String(random.int(1, 12)).padStart(2, '0')
  const dateOfBirth = `${random.int(1950, 2005)}-${month}-${String(random.int(1, 28)).padStart(2, '0')}`
  const hasPronouns = random.chance(0.18)
  const pronouns = random.chance(0.08) ? 'they/them' : isWoman ? 'she/her' : 'he/him'
  const [speaksHomeLanguage, wasAsked] = [random.chance(0.4), random.chance(0.35)]
  const language = prefersFrench ? 'fr' : (speaksHomeLanguage && homeLanguage(origin)) || (wasAsked ? 'en' : null)
  return {
    dateOfBirth: hasChart ? dateOfBirth : null,
    pronouns: hasChart && hasPronouns ? pronouns : null,
    preferredLanguage: language,
    ...identityOf(input, random),
  }
}

function nameFrom(origin: Origin, isWoman: boolean, random: Random): [string, string] {
  const given = isWoman ? origin.women : origin.men
  const surnames = (!isWoman && origin.menSurnames) || origin.surnames
  const surname = random.pick(surnames)
  // A few people have two surnames; names that are double already are kept.
  const doubled = isWoman && random.chance(0.03) && !/[\s-]/.test(surname) ? `${surname}-${random.pick(surnames)}` : surname
  return [random.pick(given), doubled]
}

/** Empty for the first person with a handle, then two digits, then three and so on: never the same twice. */
function numberSuffix(earlier: number): string {
  if (earlier === 0) return ''
  let [digits, index] = [2, earlier - 1]
  while (index >= 9 * 10 ** (digits - 1)) {
    index -= 9 * 10 ** (digits - 1)
    digits++
  }
  const size = 9 * 10 ** (digits - 1)
  return String(10 ** (digits - 1) + ((index * 37 + 57) % size))
}
