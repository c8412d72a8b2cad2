import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { profiles } from '../../../platform/auth/table.ts'
import type { CallOutcome } from '../../../crm/interactions/contract.ts'
import { addPastEntries, type LastContactChange, revertLastContact, removeEntries } from '../../../crm/interactions/service.ts'
import { interactionRows, type Person } from './record-rows.ts'
import type { KeptRecord, RecordTable } from './records.ts'
import { importOutcomes } from '../table.ts'

/** Everyone who may be an author, including former staff. */
const listAuthors = (db: Db): Promise<Person[]> =>
  db.select({ id: profiles.id, email: profiles.email, name: profiles.name }).from(profiles).where(ne(profiles.status, 'pending'))

/** Calls, notes, emails and meetings with their original dates. */
export const interactionRecords: RecordTable = {
  kind: 'interactions',
  rules: async ({ db, env }) => interactionRows(await listAuthors(db), env.PRACTICE_TIME_ZONE),
  keyOf: ({ type, date, text }) => [type, date, text],
  async known(tx, _scope, rows) {
    const given = rows.map(({ row: { values }, contactId, id }, place) => ({ ...values, place, id, contactId }))
    const { rows: found } = await tx.execute<{ place: number; id: string }>(sql`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
          as given(place int, id uuid, "contactId" uuid, type text, date timestamptz, text text)
      )
      select place, entry.id from given join interactions as entry
        on entry.contact_id = given."contactId" and entry.date = given.date and entry.type = given.type and entry.description = given.text
      union all
      select place, entry.id from given join interactions as entry on entry.id = given.id`)
    return new Map(found.map(({ place, id }) => [rows[place]!, id]))
  },
  async add(tx, scope, _job, rows) {
    const entries = rows.map(({ row: { values }, contactId, id }) => ({
      id,
      contactId: contactId!,
      type: values.type as 'call' | 'note' | 'email' | 'meeting',
      description: values.text as string,
      date: new Date(values.date as string),
      createdBy: (values.author as string | undefined) ?? scope.actor?.id ?? null,
      outcome: (values.outcome as CallOutcome | undefined) ?? null,
    }))
    const moves = new Map((await addPastEntries(tx, scope, entries)).map((move) => [move.contactId, move]))
    return entries.map(({ id, contactId }) => {
      const move = moves.get(contactId)
      moves.delete(contactId) // stored with the patient's first entry
      return move ? { id, filled: move } : { id }
    })
  },
  async remove(tx, scope, job, ids) {
    const { pinned, gone } = await removeEntries(tx, scope, ids)
    await revertLastContact(tx, await listMoves(tx, job.id, ids))
    return new Map<string, KeptRecord>([
      ...[...pinned].map(([id, text]) => [id, { name: text.slice(0, 80), note: 'This has been pinned since the import' }] as const),
      ...[...gone].map((id) => [id, { name: '', note: 'This has been deleted since the import' }] as const),
    ])
  },
}

/** The changes that an import made to the last contact of the patients of these entries, in order. */
async function listMoves(tx: Db, importId: string, ids: readonly string[]): Promise<LastContactChange[]> {
  const theirs = tx
    .select({ id: importOutcomes.contactId })
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, importId), inArray(importOutcomes.recordId, [...ids])))
  const rows = await tx
    .select({ move: importOutcomes.filled })
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, importId), inArray(importOutcomes.contactId, theirs), sql`${importOutcomes.filled} is not null`))
    .orderBy(asc(importOutcomes.row))
  return rows.map(({ move }) => move as LastContactChange)
}
