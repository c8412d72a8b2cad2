import type { Aim } from '../report.ts'
import type { Clinic } from './clinic.ts'

/** A kind of search, its sample terms, and the targets at a million contacts. */
export type TermKind = { kind: string; terms: string[]; aims: readonly Aim[] }

type Person = { first: string; last: string; email: string; digits: string }

const perKind = 60
const p50Aim = (ms: number): Aim => ({ of: 'oursP50', atMost: ms, connections: 1 })
const p99Aim = (ms: number): Aim => ({ of: 'oursP99', atMost: ms, connections: 1 })
const aims = [p50Aim(10), p99Aim(50)]

/** Picks terms of every kind from patients across the clinic's whole history, the same in every run. */
export async function drawTerms(clinic: Clinic, contacts: number): Promise<TermKind[]> {
  const anyone = await draw(clinic, 1, contacts)
  const oldest = await draw(clinic, 1, Math.ceil(contacts / 100))
  const handles = (people: Person[]) => people.map(({ email }) => email.split('@')[0]!)
  return [
    { kind: 'name, common', terms: commonNames, aims },
    { kind: 'name, rare', terms: handles(anyone), aims },
    { kind: 'name, accents', terms: accentedNames, aims },
    { kind: 'two words', terms: [...anyone.flatMap(({ first, last }) => [`${first} ${last}`, `${last} ${first}`]), ...beginnings], aims },
    { kind: 'phone digits in a row', terms: anyone.flatMap(phonesInARow), aims },
    { kind: 'phone digits with gaps', terms: await withoutRow(clinic, anyone.flatMap(phonesWithGaps)), aims: [p50Aim(200)] },
    { kind: 'one letter', terms: letters, aims },
    { kind: 'two letters', terms: twoLetters, aims },
    { kind: 'nothing matches', terms: unmatched, aims },
    { kind: 'all matches are old', terms: [...handles(oldest), ...oldest.map(({ digits }) => digits)], aims },
  ]
}

/** The field's content after each keystroke while typing a name, an email address or the last four digits of a phone number. */
export async function drawKeystrokes(clinic: Clinic, contacts: number): Promise<TermKind[]> {
  const anyone = await draw(clinic, 1, contacts)
  const typed = (text: string) => Array.from(text, (_, i) => text.slice(0, i + 1)).filter((term) => !term.endsWith(' '))
  const kind = (name: string, texts: string[]): TermKind => ({ kind: name, terms: texts.flatMap(typed), aims: [p50Aim(10), p99Aim(100)] })
  return [
    kind(
      'typing a name',
      anyone.slice(0, 30).map(({ first, last }) => `${first} ${last}`),
    ),
    kind(
      'typing an e-mail',
      anyone.slice(0, 20).map(({ email }) => email),
    ),
    kind(
      'typing the last four digits',
      anyone.map(({ digits }) => digits.slice(6)),
    ),
  ]
}

const words = (text: string) => text.trim().split(/\s+/)
const phrases = (text: string) => text.split(',').map((phrase) => phrase.trim())

const commonNames = words('smith ann gmail jennifer tremblay maria ing mar lee son hotmail wilson patel singh el .ca nguyen robert an@ ell')
const accentedNames = words(
  'Éloïse eloise Łukasz lukasz Siobhán Anaïs Bélanger belanger Côté Đorđević dordevic Gülşen Çiğdem Peñaflor Nguyễn Öztürk',
)
const beginnings = phrases('jo sm, an tr, mar lee, e t, a b, sm jo, ma si, chen wei, de la cruz, dela cruz maria, j smith, gmail com')
const letters = words('a b c d e f g h i j k l m n o p q r s t u v w x y z é ł % _ @ 0')
const twoLetters = words('an qz ee ng xx zz zq éa jq wv .c a@ @g 90 07 1% __ é_ ło ue')
const unmatched = [
  ...words('zzyzzxq nosuchname qqqqqq smithxyzw xkcdq wvwvwv no.such.handle'),
  ...phrases('no one here, smith zzyzzx, qz qz, zz9 zz9, xjq wvk'),
]

/** People spread evenly over these numbers, with an email address and a phone of ten digits each. */
async function draw(clinic: Clinic, from: number, to: number): Promise<Person[]> {
  const people = await clinic.query<Person>(
    `select first_name as first, last_name as last, email, right(regexp_replace(phone, '[^0-9]', '', 'g'), 10) as digits
     from generate_series($1::bigint, $2::bigint, greatest(1, ($2::bigint - $1::bigint) / ($3::bigint * 2))) as wanted(seq)
     join contacts using (seq) where email is not null and phone !~ 'x' and length(regexp_replace(phone, '[^0-9]', '', 'g')) >= 10
     order by md5(seq::text) limit $3`,
    [from, to, perKind],
  )
  if (people.length === 0) throw new Error('No patients to search for')
  return people
}

/** A full phone number with and without punctuation, its last seven and four digits, and its area code. */
const phonesInARow = ({ digits }: Person): string[] => [
  digits,
  `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`,
  digits.slice(3),
  digits.slice(6),
  digits.slice(0, 3),
]

/** Typed with a digit or two left out. */
const phonesWithGaps = ({ digits }: Person): string[] => [
  digits.slice(0, 4) + digits.slice(5),
  digits.slice(0, 3) + digits.slice(4, 6) + digits.slice(7),
  digits.slice(0, 2) + digits.slice(4, 8),
]

/** The terms whose digits appear in no phone number in a row: only these are searched with gaps (decision "contact-search"). */
async function withoutRow(clinic: Clinic, terms: string[]): Promise<string[]> {
  const rows = await clinic.query<{ term: string }>(
    `select term from unnest($1::text[]) as term
     where not exists (select 1 from contacts where search_text like '%' || term || '%' and split_part(search_text, chr(10), 5) like '%' || term || '%')`,
    [terms],
  )
  return rows.map(({ term }) => term)
}
