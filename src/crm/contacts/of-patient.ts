import { sql } from 'drizzle-orm'
import type { View } from '../../kernel/audit/rules.ts'
import { inGroups } from '../../kernel/groups.ts'
import { type Database, prepared } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from './table.ts'

/**
 * Reads what belongs to a patient; the view is audited, even if the patient does not exist. Whoever has any row exists; for others the patient is
 * looked for, in one statement for all calls that open the same record (decision "request-cost"). Null: the patient does not exist.
 */
export async function readOfPatient<Found>(
  scope: Scope,
  kind: View['kind'],
  contactId: string,
  read: PromiseLike<Found>,
): Promise<Found | null> {
  const [found] = await Promise.all([read, scope.recordView({ kind, contactIds: [contactId] })])
  return !isEmpty(found) || (await patientExists(scope.db)(contactId)) ? found : null
}

const isEmpty = (value: unknown): boolean => (typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : !value)

const withIds = prepared((db) =>
  db
    .select({ id: contacts.id })
    .from(contacts)
    .where(sql`${contacts.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('patients-that-exist'),
)

type Exists = (id: string) => Promise<boolean>
const ofDatabases = new WeakMap<Database, Exists>()

function patientExists(db: Database): Exists {
  let exists = ofDatabases.get(db)
  if (!exists) {
    exists = inGroups<string, boolean>(async (ids) => {
      const rows = await withIds(db).execute({ ids: [...new Set(ids)] })
      const known = new Set(rows.map(({ id }) => id))
      return ids.map((id) => known.has(id))
    })
    ofDatabases.set(db, exists)
  }
  return exists
}
