import { generatePatients } from '../../demo/patients/patients.ts'

const procedures = ['Rhinoplasty', 'Breast augmentation', 'Tummy tuck', 'Eyelid surgery', null]

/** People who are not yet patients of any clinic. */
export const newPeople = [...generatePatients(200, 7, Date.UTC(2026, 2, 2))].map(({ firstName, lastName, phone }, at) => ({
  firstName,
  lastName,
  phone: phone ?? '905-555-0100',
  procedure: procedures[at % procedures.length],
}))

export type Person = { firstName: string; lastName: string; email: string; phone: string; tags: string }

/** Generates people the clinic does not know; every fifth has tags. */
export function* unknownPatients(count: number): Generator<Person> {
  let at = 0
  for (const { firstName, lastName } of generatePatients(count, 99, Date.UTC(2026, 2, 2))) {
    at++
    yield {
      firstName,
      lastName,
      email: `import.${at}@file.example`,
      phone: `416${String(at).padStart(7, '0')}`,
      tags: at % 5 === 0 ? 'Imported; VIP' : '',
    }
  }
}

const lineOf = ({ firstName, lastName, email, phone, tags }: Person) =>
  `${firstName},${lastName},${email},${phone},Oakville,${tags},From the system before`

/** The people as a CSV file to import. */
export const fileOf = (people: Iterable<Person>): string =>
  ['First Name,Last Name,Email,Phone,City,Tags,Notes', ...Array.from(people, lineOf)].join('\r\n')
