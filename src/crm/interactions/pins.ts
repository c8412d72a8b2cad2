import { and, desc, eq, isNotNull, type Placeholder, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { readOfPatient } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { maxPins } from './contract.ts'
import { visibleTypes } from './policy.ts'
import { interactions } from './table.ts'

type Row = typeof interactions.$inferSelect

const pinnedOf = (contactId: string | Placeholder) => and(eq(interactions.contactId, contactId), isNotNull(interactions.pinnedAt))

const pins = prepared((db) =>
  db
    .select()
    .from(interactions)
    .where(and(pinnedOf(sql.placeholder('contactId')), sql`${interactions.type} = any(${sql.placeholder('types')}::text[])`))
    .orderBy(desc(interactions.pinnedAt), desc(interactions.id))
    .prepare('pins'),
)

/** A patient's pinned notes that the actor may see, most recently pinned first. Null: the patient does not exist. */
export const pinnedInteractions = (scope: Scope, contactId: string) =>
  readOfPatient(scope, 'interaction', contactId, pins(scope.db).execute({ contactId, types: visibleTypes(scope.actor) }))

interface Note {
  contactId: string
  id: string
}

/** Pins a note above the timeline. Does nothing if it is already pinned. */
export const pinNote = (scope: Scope, note: Note) =>
  scope.db.transaction(async (tx) => {
    const entry = await lockNote(tx, note)
    if (!entry || isRefusal(entry) || entry.pinnedAt) return entry
    if ((await tx.$count(interactions, pinnedOf(note.contactId))) >= maxPins) return refuse('TOO_MANY_PINS')
    return setPin(tx, scope, entry, { pinnedAt: scope.now(), pinnedBy: staff(scope).id })
  })

/** Unpins a note. Does nothing if it is not pinned. */
export const unpinNote = (scope: Scope, note: Note) =>
  scope.db.transaction(async (tx) => {
    const entry = await lockNote(tx, note)
    if (!entry || isRefusal(entry) || !entry.pinnedAt) return entry
    return setPin(tx, scope, entry, { pinnedAt: null, pinnedBy: null })
  })

/**
 * Loads a note and locks its patient's row, so that simultaneous pins are counted one by one. Null: the patient or the entry does not
 * exist.
 */
async function lockNote(tx: Db, { contactId, id }: Note) {
  const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('update')
  const [entry] = await tx
    .select()
    .from(interactions)
    .where(and(eq(interactions.id, id), eq(interactions.contactId, contactId)))
  if (!contact || !entry) return null
  return entry.type === 'note' ? entry : refuse('NOT_A_NOTE')
}

async function setPin(tx: Db, scope: Scope, { id, contactId, pinnedAt, pinnedBy }: Row, after: Pick<Row, 'pinnedAt' | 'pinnedBy'>) {
  const [row] = await tx.update(interactions).set(after).where(eq(interactions.id, id)).returning()
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'interaction',
    contactIds: [contactId],
    before: { id, pinnedAt, pinnedBy },
    after: { id, ...after },
  })
  await publish(tx, 'contact', contactId)
  return row!
}
