import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { numberedPage } from '../../shared/page-lists.ts'
import type { Affected, Recall, RecallPatient } from './contract.ts'
import { affectedBy, countInStock, valuesOf } from './match.ts'
import type { Answer, Criteria } from './rules.ts'

interface Page {
  page: number
  limit: number
}

/** '12 King St, Toronto ON M5V 1K4'. Null without a street, or without both town and postal code: no letter arrives there. */
export const postalAddress = sql<
  string | null
>`case when coalesce(contacts.address, '') <> '' and concat(contacts.city, contacts.zip_code) <> ''
  then concat_ws(', ', contacts.address, concat_ws(' ', nullif(contacts.city, ''), nullif(contacts.state, ''), nullif(contacts.zip_code, ''))) end`

const reachable = sql`contacts.id as "contactId", contacts.first_name as "firstName", contacts.last_name as "lastName",
  contacts.date_of_birth::text as "dateOfBirth", contacts.email, contacts.phone, ${postalAddress} as address, contacts.preferred_language as language`

/** A page of the patients who have such an implant now, by name; the audit log records who was listed. */
export async function findAffected(scope: Scope, { page, limit, ...criteria }: Criteria & Page) {
  const { rows } = await scope.db.execute<Affected & { total: number }>(sql`
    with affected as (${affectedBy(valuesOf(criteria))})
    select ${reachable}, affected.devices, count(*) over ()::int as total from affected join contacts on contacts.id = affected.contact_id
    order by fold(contacts.last_name), fold(contacts.first_name), contacts.id limit ${limit} offset ${(page - 1) * limit}`)
  if (rows.length > 0) await scope.recordView({ kind: 'recall', contactIds: rows.map(({ contactId }) => contactId) })
  const inStock = await countInStock(scope.db, criteria)
  return { ...numberedPage({ data: rows, total: rows[0]?.total ?? 0 }, { page, limit }), inStock }
}

const readRecalls = (db: Db, condition: SQL, { page, limit }: Page) =>
  db.execute<Recall & { total: number }>(sql`
    select recall.id, title, maker, model, lot_from as "lotFrom", lot_to as "lotTo", serial_from as "serialFrom", serial_to as "serialTo",
      message_en as "messageEn", message_fr as "messageFr", is_prepared as "isPrepared", created_by as "createdBy", created_at as "createdAt",
      count(*) over ()::int as total, (
        select jsonb_build_object('patients', count(*), 'letters', count(*) filter (where has_letter),
          'emailsSent', count(*) filter (where email in ('sent')), 'emailsFailed', count(*) filter (where email in ('failed', 'uncertain')),
          'answered', count(*) filter (where answer <> 'open'))
        from (
          select patient.answer, max(attempt.state) filter (where attempt.channel = 'email') as email,
            coalesce(bool_or(attempt.channel = 'letter'), false) as has_letter
          from recall_patients as patient left join recall_attempts as attempt on attempt.recall_patient_id = patient.id
          where patient.recall_id = recall.id group by patient.id) as patients) as progress
    from recalls as recall where ${condition} order by created_at desc, recall.id desc limit ${limit} offset ${(page - 1) * limit}`)

const toRecall = ({ createdAt, ...row }: Recall): Recall => ({ ...row, createdAt: new Date(createdAt) })

export async function listRecalls({ db }: Scope, page: Page) {
  const { rows } = await readRecalls(db, sql`true`, page)
  return numberedPage({ data: rows.map(toRecall), total: rows[0]?.total ?? 0 }, page)
}

/** Null: no such recall. */
export async function getRecall(db: Db, id: string): Promise<Recall | null> {
  const { rows } = await readRecalls(db, sql`recall.id = ${id}`, { page: 1, limit: 1 })
  return rows[0] ? toRecall(rows[0]) : null
}

const ofRecall = {
  maker: sql`recall.maker`,
  model: sql`recall.model`,
  lotFrom: sql`recall.lot_from`,
  lotTo: sql`recall.lot_to`,
  serialFrom: sql`recall.serial_from`,
  serialTo: sql`recall.serial_to`,
}

type Json = Omit<RecallPatient, 'attempts' | 'answeredAt'> & {
  answeredAt: string | null
  attempts: (Omit<RecallPatient['attempts'][number], 'at'> & { at: string })[]
}

/** The patients of recalls with their implants that the recall covers, also those that were taken out since, and each attempt. */
export async function readPatients(db: Db, condition: SQL, { page, limit }: Page): Promise<{ data: RecallPatient[]; total: number }> {
  const { rows } = await db.execute<Json & { total: number }>(sql`
    select patient.id, patient.version, patient.answer, patient.note, patient.answered_by as "answeredBy", patient.answered_at as "answeredAt",
      ${reachable}, count(*) over ()::int as total,
      coalesce(covered.devices, '[]') as devices,
      coalesce((select jsonb_agg(jsonb_build_object('id', attempt.id, 'channel', channel, 'state', state, 'language', language, 'address', attempt.address,
        'note', attempt.note, 'problem', problem, 'by', by, 'at', at) order by attempt.at, attempt.id)
        from recall_attempts as attempt where attempt.recall_patient_id = patient.id), '[]') as attempts
    from recall_patients as patient join contacts on contacts.id = patient.contact_id
    join recalls as recall on recall.id = patient.recall_id
    left join lateral (select devices from (${affectedBy(ofRecall, 'ever')} having surgery.contact_id = patient.contact_id) as theirs) as covered on true
    where ${condition} order by fold(contacts.last_name), fold(contacts.first_name), patient.id limit ${limit} offset ${(page - 1) * limit}`)
  const data = rows.map(({ total: _, answeredAt, attempts, ...row }) => ({
    ...row,
    answeredAt: answeredAt === null ? null : new Date(answeredAt),
    attempts: attempts.map(({ at, ...rest }) => ({ ...rest, at: new Date(at) })),
  }))
  return { data, total: rows[0]?.total ?? 0 }
}

/** One patient of a recall, or null. */
export async function readPatient(db: Db, id: string): Promise<RecallPatient | null> {
  const { data } = await readPatients(db, sql`patient.id = ${id}`, { page: 1, limit: 1 })
  return data[0] ?? null
}

/** Null: no such recall. */
export async function listPatients(scope: Scope, { id, answer, ...page }: { id: string; answer?: Answer | undefined } & Page) {
  if (!(await getRecall(scope.db, id))) return null
  const condition = sql`patient.recall_id = ${id} and (${answer ?? null}::text is null or patient.answer = ${answer ?? null})`
  const found = await readPatients(scope.db, condition, page)
  if (found.data.length > 0) await scope.recordView({ kind: 'recall', contactIds: found.data.map(({ contactId }) => contactId) })
  return numberedPage(found, page)
}
