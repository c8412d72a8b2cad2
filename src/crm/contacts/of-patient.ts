import { sql } from 'drizzle-orm'
import type { View } from '../../kernel/audit/rules.ts'
import { inGroups } from '../../kernel/groups.ts'
import { type Database, prepared } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from './table.ts'

/**
 * Reads what belongs to a patient; the view is audited, even if the patient does not exist. The statements are sent together, and calls that
 * open the same record share the one that looks for the patient (decision "request-cost"). Null: the patient does not exist.
 */
export async function readOfPatient<Found>(
  scope: Scope,
  kind: View['kind'],
  contactId: string,
  read: PromiseLike<Found>,
): Promise<Found | null> {
  const [found, exists] = await Promise.all([read, patientExists(scope.db)(contactId), scope.recordView({ kind, contactIds: [contactId] })])
  return exists ? found : null
}

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
