import { eq, sql } from 'drizzle-orm'
import type { View } from '../../kernel/audit/rules.ts'
import { type Database, prepared } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from './table.ts'

/**
 * Reads what belongs to a patient; the view is audited, even if the patient does not exist. A patient with any row exists; otherwise the patient
 * is looked for, once for all calls that open the same record (decision "request-cost"). Null: the patient does not exist.
 */
export async function readOfPatient<Found>(
  scope: Scope,
  kind: View['kind'],
  contactId: string,
  read: PromiseLike<Found>,
): Promise<Found | null> {
  const since = performance.now()
  const [found] = await Promise.all([read, scope.recordView({ kind, contactIds: [contactId] })])
  return !isEmpty(found) || (await patientExists(scope.db, contactId, since)) ? found : null
}

const isEmpty = (value: unknown): boolean => (typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : !value)

const withId = prepared((db) =>
  db
    .select({ id: contacts.id })
    .from(contacts)
    .where(eq(contacts.id, sql.placeholder('id')))
    .prepare('patient-exists'),
)

interface LookUp {
  startedAt: number
  exists: Promise<boolean>
}
/** The last look-up of each patient, which serves every call that began before it. */
const ofDatabases = new WeakMap<Database, Map<string, LookUp>>()
const maxKept = 1_000

function patientExists(db: Database, id: string, since: number): Promise<boolean> {
  const kept = ofDatabases.get(db) ?? new Map<string, LookUp>()
  ofDatabases.set(db, kept)
  const last = kept.get(id)
  if (last && last.startedAt >= since) return last.exists
  if (kept.size >= maxKept) kept.clear()
  const startedAt = performance.now()
  const exists = withId(db)
    .execute({ id })
    .then((rows) => rows.length > 0)
  kept.set(id, { startedAt, exists })
  return exists
}
