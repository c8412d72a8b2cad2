import { day } from './clock.ts'
import { createPeople } from './people/people.ts'
import { createRandom } from './random.ts'

/** A form from which no patient was created because a field was missing. */
export type RefusedForm = { at: number; form: Record<string, string> }

/** Forms of the last month without an email address or last name, oldest first. */
export function refusedForms(count: number, now: number, seed: number): RefusedForm[] {
  const random = createRandom(seed)
  const people = createPeople(count, seed)
  const times = Array.from({ length: count }, () => now - Math.floor(random.next() * 30 * day)).toSorted((a, b) => a - b)
  return times.map((at) => {
    const { firstName, lastName, email, phone } = people(true)
    const rest: Record<string, string> = random.chance(0.7) ? { last_name: lastName } : { email: email ?? '' }
    return { at, form: { first_name: firstName, ...rest, ...(phone ? { phone } : {}), source: 'Website Form' } }
  })
}
