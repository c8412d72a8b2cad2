import type pg from 'pg'
import { nameOf } from './database.ts'

/** What the page of a patient reads besides the patient, by the end of its path: the rows that our server answers, in bare SQL. */
export const recordStatements: Record<string, readonly string[]> = {
  'stage-history': ['select * from contact_stage_history where contact_id = $1 order by changed_at, id'],
  interactions: ['select * from interactions where contact_id = $1 order by date desc, id desc limit 51'],
  'interactions/pinned': ['select * from interactions where contact_id = $1 and pinned_at is not null order by pinned_at desc, id desc'],
  health: [
    'select * from health_entries where contact_id = $1 order by id',
    'select distinct on (section, topic) * from health_reviews where contact_id = $1 order by section, topic, reviewed_at desc',
    'select * from measurements where contact_id = $1 order by measured_on desc, id desc',
  ],
  notes: [
    `select n.id, n.version, n.contact_id, n.template_id, n.kind, n.title, n.occurred_on, n.status, n.author_id, n.needs_cosign, n.signed_by,
       n.signed_at, n.cosigned_by, n.cosigned_at, n.created_at, n.updated_at, n.updated_by, author.full_name as author_name,
       signer.full_name as signed_by_name, cosigner.full_name as cosigned_by_name,
       (select count(*) from note_addenda a where a.note_id = n.id) as addenda
     from clinical_notes n join profiles author on author.id = n.author_id left join profiles signer on signer.id = n.signed_by
       left join profiles cosigner on cosigner.id = n.cosigned_by
     where n.contact_id = $1 order by n.occurred_on desc, n.id desc limit 51`,
    `select count(*) filter (where status = 'signed') as signed, count(*) filter (where status = 'draft') as draft
     from clinical_notes where contact_id = $1`,
  ],
  forms: [
    `select f.id, f.contact_id, f.status, f.sent_via, f.sent_to, f.sent_at, f.sent_by, f.email_problem, f.expires_at, f.language, f.progress,
       f.started_at, f.submitted_at, f.withdrawn_at, f.red_flags, v.number, v.definition->'title' as title
     from forms f join form_versions v on v.id = f.version_id where f.contact_id = $1 order by f.sent_at desc, f.id desc`,
  ],
  surgeries: ['select * from surgeries where contact_id = $1 order by starts_at desc, id desc'],
  appointments: ['select * from appointments where contact_id = $1 order by starts_at desc, id desc'],
}

/** The rows of each statement of a part of a patient's record. */
export async function partOfRecord(pool: pg.Pool, contactId: string, part: string): Promise<unknown> {
  const results = await Promise.all(recordStatements[part]!.map((text) => pool.query({ name: nameOf(text), text, values: [contactId] })))
  return results.map(({ rows }) => rows)
}
