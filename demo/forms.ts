import type pg from 'pg'
import { applyChanges, checkAnswers, type GivenAnswers, progressOf, redFlags } from '../src/chart/forms/rules.ts'
import { starters } from '../src/chart/forms/starters.ts'
import type { StarterKey } from '../src/chart/forms/starter-rules.ts'
import { openDays } from '../src/chart/forms/status-rules.ts'
import { day } from './clock.ts'
import type { References } from './rows.ts'

const historyAnswers: GivenAnswers = {
  language: 'en',
  height: 168,
  weight: 64,
  emergency_contact: 'Marc Tremblay, (613) 555-0155',
  family_doctor: 'Dr. Anita Rao',
  has_allergies: true,
  allergy_list: 'Penicillin: a rash',
  anaphylaxis: false,
  takes_medications: true,
  medication_list: 'Apixaban 5 mg, twice a day',
  blood_thinners: true,
  weight_loss_medication: false,
  conditions: ['clots'],
  had_surgery: false,
  has_implants: false,
  pregnancy: false,
  nicotine: 'former',
  alcohol: 3,
  signature: { kind: 'typed', name: 'Signed for the demo' },
}
/** The medical history of a patient, with what the record says already. `today`: the day of signing. */
export const answersOf = ({ dateOfBirth, today }: { dateOfBirth: string; today: string }): GivenAnswers => ({
  ...historyAnswers,
  born: dateOfBirth,
  signed_on: today,
})
const goals: GivenAnswers = { areas: [{ view: 'face', x: 500, y: 520 }], goal: 'A straighter nose that still looks like mine' }

/** Publishes the starters, and sends two forms to the newest patients with an email address: one submitted with red flags, one begun. */
export async function addForms(client: pg.Client, { staff }: References, now: number): Promise<void> {
  const versions = {} as Record<StarterKey, string>
  for (const [key, definition] of Object.entries(starters)) {
    const { rows } = await client.query<{ id: string }>(
      `with template as (insert into form_templates (starter, created_by) values ($1, $3) returning id)
       insert into form_versions (template_id, number, definition, published_at, published_by)
       select id, 1, $2, $4, $3 from template returning id`,
      [key, JSON.stringify(definition), staff.admin, new Date(now - 30 * day)],
    )
    versions[key as StarterKey] = rows[0]!.id
  }
  const { rows: people } = await client.query<{ id: string; email: string; born: string | null }>(
    'select id, email, date_of_birth::text as born from contacts where email is not null and created_at < $1 order by seq desc limit 2',
    [new Date(now - 3 * day)],
  )
  const today = new Date(now - 2 * day).toISOString().slice(0, 10)
  for (const [index, person] of people.entries()) {
    const key: StarterKey = index === 0 ? 'medical_history' : 'aesthetic_goals'
    const given = index === 0 ? answersOf({ dateOfBirth: person.born ?? '1988-03-14', today }) : goals
    const definition = starters[key]
    const { answers, problems } = applyChanges(definition, {}, given, today)
    if (problems.length > 0) throw new Error(`The demo's answers are wrong: ${JSON.stringify(problems)}`)
    const isSubmitted = checkAnswers(definition, answers, today).length === 0
    const sentAt = now - 3 * day
    await client.query(
      `insert into forms (contact_id, version_id, status, sent_via, sent_to, sent_at, sent_by, expires_at, language, answers, progress, revision,
         started_at, submitted_at, red_flags)
       values ($1, $2, $3, 'email', $4, $5, $6, $7, 'en', $8, $9, 4, $10, $11, $12)`,
      [
        person.id,
        versions[key],
        isSubmitted ? 'submitted' : 'started',
        person.email,
        new Date(sentAt),
        staff.frontDesk,
        new Date(sentAt + openDays * day),
        JSON.stringify(answers),
        progressOf(definition, answers),
        new Date(now - 2 * day),
        isSubmitted ? new Date(now - 2 * day) : null,
        JSON.stringify(isSubmitted ? redFlags(definition, answers) : []),
      ],
    )
  }
}
