import type pg from 'pg'
import { isIdentified, itemsOfPhase, safetyPhases } from '../src/care/surgeries/safety-rules.ts'
import { isoDay, minute } from './clock.ts'

interface Case {
  id: string
  contact: string
  dayNumber: number
  /** Milliseconds. */
  startsAt: number
  endsAt: number
  surgeon: string
  now: number
}

/** Answers and confirms the phases of a surgery's safety checklist that lie in the past. */
export async function addSafetyChecklist(client: pg.Client, given: Case): Promise<void> {
  const { id, contact, dayNumber, startsAt, endsAt, surgeon, now } = given
  const ends = { sign_in: startsAt - 20 * minute, time_out: startsAt - minute, sign_out: endsAt - 2 * minute }
  const day = isoDay(dayNumber)
  for (const phase of safetyPhases) {
    const at = ends[phase]
    if (at > now) return
    for (const [order, { id: item, answers, stops }] of itemsOfPhase(phase).entries()) {
      const answer = Object.keys(answers).find((one) => one !== stops)
      const note = item === 'specimens' ? 'None taken' : null
      await client.query(
        `insert into safety_answers (surgery_id, day, phase, item, answer, note, answered_by, answered_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, day, phase, item, answer, note, surgeon, new Date(at - (10 - order) * 15_000)],
      )
    }
    await client.query(
      `insert into safety_phases (surgery_id, day, phase, outcome, identity, closed_by, closed_at)
       select $1, $2, $3, 'confirmed', case when $4 then jsonb_build_object('name', first_name || ' ' || last_name,
         'dateOfBirth', coalesce(date_of_birth::text, '1980-01-01')) end, $5, $6 from contacts where id = $7`,
      [id, day, phase, isIdentified(phase), surgeon, new Date(at), contact],
    )
  }
}
