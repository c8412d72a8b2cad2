import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import type { Scope } from '../../server/scope.ts'
import { holdReferences, isWhole, list, writableColumns } from '../../server/stored-rows.ts'
import { recordChanges } from '../audit/service.ts'
import { childTables } from '../merges/rules.ts'
import { announceContacts } from './many.ts'

/** In an order in which nothing is referred to before it is there. */
const places = [
  'contacts',
  ...childTables,
  'task_assignees',
  'messages',
  'conversation_notes',
  'message_attachments',
  'contact_merges',
  'contact_merge_rows',
]

/**
 * Brings deleted patients back as they were, with the same ids, from what deleteContacts kept, in the caller's transaction. What refers to
 * something that was deleted since does not come back. An e-mail that somebody else has taken meanwhile stays theirs too: the two are
 * likely duplicates. Answers who came back.
 */
export async function restoreContacts(tx: Db, scope: Scope, deletionId: string, wanted: readonly string[]): Promise<string[]> {
  const theirs = sql`kept.deletion_id = ${deletionId}::uuid and kept.contact_id = any(${sql.param([...wanted])}::uuid[])`
  const { rows } = await tx.execute<{ id: string }>(
    sql`select contact_id as id from deleted_contact_rows as kept where ${theirs} and place = 'contacts' order by 1`,
  )
  const back = rows.map(({ id }) => id)
  for (const place of places) await bringBack(tx, place, theirs)
  await tx.execute(sql`delete from deleted_contact_rows as kept where ${theirs}`)
  await recordChanges(
    tx,
    scope,
    back.map((id) => ({ action: 'restored' as const, kind: 'contact', contactIds: [id] })),
  )
  await announceContacts(tx, back)
  return back
}

async function bringBack(tx: Db, place: string, theirs: SQL): Promise<void> {
  const kept = sql`deleted_contact_rows as kept where ${theirs} and kept.place = ${place}`
  const { rows } = await tx.execute<{ keys: string[] | null }>(
    sql`select array_agg(distinct key) as keys from (select kept.row from ${kept}) as kept, jsonb_object_keys(kept.row) as key`,
  )
  const keys = rows[0]!.keys
  if (!keys) return
  await holdReferences(tx, place, sql`select kept.row from ${kept}`)
  const columns = list(await writableColumns(tx, place, keys))
  const back =
    place === 'contacts'
      ? sql`select (${revived(sql`kept.row`, nameOf)}).* from ${kept}`
      : sql`select (jsonb_populate_record(null::${sql.identifier(place)}, kept.row)).* from ${kept} and ${await isWhole(tx, place)}`
  await tx.execute(sql`insert into ${sql.identifier(place)} (${columns}) select ${columns} from (${back}) as back`)
}

const nameOf = (table: string): SQL => sql`(
  select names.row->>'name' from deleted_contact_rows as names
  where names.deletion_id = kept.deletion_id and names.contact_id = kept.contact_id and names.place = ${table})`

/**
 * A contact that was kept as JSON as a row. A procedure or source that was deleted since leaves its name, as it did with everybody else.
 * `nameOf` finds what the contact's was called.
 */
export function revived(was: SQL, nameOf: (table: 'procedures' | 'lead_sources') => SQL): SQL {
  const gone = (table: string, column: string) => sql`
    not exists (select 1 from ${sql.identifier(table)} where id = (${was}->>${column})::uuid) and ${was}->>${column} is not null`
  return sql`jsonb_populate_record(null::contacts, ${was}
    || case when ${gone('procedures', 'procedure_of_interest')}
         then jsonb_build_object('procedure_of_interest', null, 'procedure_text', ${nameOf('procedures')})
         else '{}' end
    || case when ${gone('lead_sources', 'lead_source')}
         then jsonb_build_object('lead_source', null, 'lead_source_text', coalesce(${was}->>'lead_source_text', ${nameOf('lead_sources')}))
         else '{}' end)`
}
