import { eq, sql } from 'drizzle-orm'
import type { View } from '../../kernel/audit/rules.ts'
import { type Database, prepared } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from './table.ts'

/**
 * Reads what belongs to a patient; the view is audited, even if the patient does not exist. Whoever has any row exists; for others the patient is
 * looked for, once for the calls that open the same record at the same moment (decision "request-cost"). Null: the patient does not exist.
 */
export async function readOfPatient<Found>(
  scope: Scope,
  kind: View['kind'],
  contactId: string,
  read: PromiseLike<Found>,
): Promise<Found | null> {
  const [found] = await Promise.all([read, scope.recordView({ kind, contactIds: [contactId] })])
  return !isEmpty(found) || (await patientExists(scope.db, contactId)) ? found : null
}

const isEmpty = (value: unknown): boolean => (typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : !value)

const withId = prepared((db) =>
  db
    .select({ id: contacts.id })
    .from(contacts)
    .where(eq(contacts.id, sql.placeholder('id')))
    .prepare('patient-exists'),
)

/** Look-ups that are on their way, which the calls of one record share. */
const running = new WeakMap<Database, Map<string, Promise<boolean>>>()

function patientExists(db: Database, id: string): Promise<boolean> {
  const lookups = running.get(db) ?? new Map<string, Promise<boolean>>()
  running.set(db, lookups)
  const shared = lookups.get(id)
  if (shared) return shared
  const lookup = withId(db)
    .execute({ id })
    .then((rows) => rows.length > 0)
    .finally(() => lookups.delete(id))
  lookups.set(id, lookup)
  return lookup
}
