import { type SQL, sql } from 'drizzle-orm'
import { inGroups } from '../../kernel/groups.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Database, Db } from '../../kernel/postgres/database.ts'
import type { AuditEntry, AuditKind, View } from '../../kernel/audit/rules.ts'
import { auditLog } from './table.ts'

export { concernsPatient, wereMerged } from './by-patient.ts'
export { oldestUnsealedSeconds } from './seals.ts'
export { verifyLog } from './verify.ts'

type Change = Pick<AuditEntry, 'action' | 'contactIds'> & { kind: AuditKind; before?: unknown; after?: unknown }

type Denial = Pick<AuditEntry, 'kind' | 'contactIds'> & { action: 'denied' }

const who = (scope: Scope): Pick<AuditEntry, 'actorId' | 'actorRole' | 'requestId' | 'address'> => ({
  actorId: scope.actor?.apiKey?.id ?? scope.actor?.id ?? null,
  actorRole: roleOf(scope),
  requestId: scope.origin.requestId,
  address: scope.origin.address,
})

function roleOf({ actor, patient, origin }: Scope): AuditEntry['actorRole'] {
  if (actor) return actor.apiKey ? 'api_key' : actor.role
  if (patient) return 'patient'
  return origin.address === null ? 'system' : 'visitor'
}

/** Writes an audit row in the transaction of the change, so both are stored or neither. Also for views within a transaction. */
export async function recordChange(tx: Db, scope: Scope, change: Change): Promise<void> {
  await tx.insert(auditLog).values({ ...who(scope), ...change })
}

/** A statement that writes audit rows for several changes, alone or as a part of another. */
export function insertChanges(scope: Scope, changes: readonly Change[]): SQL {
  const { actorId, actorRole, requestId, address } = who(scope)
  return sql`
    insert into audit_log (actor_id, actor_role, action, kind, contact_ids, before, after, request_id, address)
    select ${actorId}::uuid, ${actorRole}::text, e->>'action', e->>'kind', array(select jsonb_array_elements_text(e->'contactIds'))::uuid[],
      e->'before', e->'after', ${requestId}::text, ${address}::text
    from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) as e`
}

/** Writes audit rows for several changes in one statement. */
export async function recordChanges(tx: Db, scope: Scope, changes: readonly Change[]): Promise<void> {
  if (changes.length > 0) await tx.execute(insertChanges(scope, changes))
}

/**
 * Records that someone viewed a patient's data, before the response is sent. Views of simultaneous requests share a statement. They are
 * committed without waiting for the disk (decision "audit-of-views"): a crash of the database server may lose the last moments' views, a
 * crash of the application loses none.
 */
export function viewRecorder(db: Database): (scope: Pick<Scope, 'actor' | 'origin' | 'patient'>, view: View | Denial) => Promise<void> {
  const write = inGroups<AuditEntry, void>((entries) => writeViews(db, entries))
  return (scope, view) => write({ ...who(scope as Scope), action: 'viewed', ...view })
}

const insertViews = `
  with quick as (select set_config('synchronous_commit', 'off', true))
  insert into audit_log (actor_id, actor_role, action, kind, contact_ids, request_id, address)
  select (e->>'actorId')::uuid, e->>'actorRole', e->>'action', e->>'kind',
    array(select jsonb_array_elements_text(e->'contactIds'))::uuid[], e->>'requestId', e->>'address'
  from quick, jsonb_array_elements($1::jsonb) as e`

async function writeViews(db: Database, entries: readonly AuditEntry[]): Promise<void[]> {
  await db.$client.query({ name: 'audit-views', text: insertViews, values: [JSON.stringify(entries)] })
  return entries.map(() => undefined)
}

/** Changes to a contact since a version, oldest first: who changed which fields. */
export async function changesSince(tx: Db, contactId: string, version: number) {
  const result = await tx.execute<{
    actor_id: string | null
    at: Date
    before: Record<string, unknown>
    after: Record<string, unknown>
  }>(sql`
    select actor_id, at, before, after from audit_log
    where contact_ids[1] = ${contactId} and action = 'changed' and kind = 'contact' and (after->>'version')::int > ${version}
    order by id`)
  return result.rows.map((row) => ({ by: row.actor_id, at: new Date(row.at), before: row.before, after: row.after }))
}
