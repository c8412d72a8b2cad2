import type pg from 'pg'
import { blockingStatuses } from '../src/care/appointments/rules.ts'
import { zone } from './clock.ts'

/**
 * Gives two patients of the next day that has two the same name, with accents in one of them only, so that the calendar shows its warning. The
 * second one did not come through a form, which would still have the other name.
 */
export async function addNamesakes(client: pg.Client, now: Date): Promise<void> {
  await client.query(
    `with visits as (
       select (starts_at at time zone $1)::date as day, starts_at, patient.* from appointments
       join contacts as patient on patient.id = contact_id
       where starts_at >= date_trunc('day', $2::timestamptz at time zone $1) at time zone $1 and appointments.status = any($3)
         and date_of_birth is not null and sex_at_birth is not null
     ), pair as (
       select one.first_name, one.last_name, two.id, two.date_of_birth from visits as one
       join visits as two on two.day = one.day and two.id <> one.id and two.sex_at_birth = one.sex_at_birth
         and two.date_of_birth <> one.date_of_birth and two.import_source is null
       order by one.day, one.starts_at, two.starts_at limit 1
     )
     update contacts set first_name = initcap(fold(pair.first_name)), last_name = pair.last_name, preferred_name = null,
       email = case when email is not null then
         regexp_replace(fold(pair.first_name || '.' || pair.last_name), '[^a-z.]', '', 'g') || to_char(pair.date_of_birth, 'YY') || '@fastmail.ca' end
     from pair where contacts.id = pair.id`,
    [zone, now, blockingStatuses],
  )
}
