import { and, desc, eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Role, roles } from '../../kernel/access/rules.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { readOfPatient } from '../contacts/service.ts'
import { type InteractionType, kindTypes, type TimelineKind } from './contract.ts'
import { interactions } from './table.ts'
import { matchesVisibleTasks, matchesVisibleTypes } from './visible-entries.ts'

type Value<Type> = Type | Placeholder

const timelinePage = (
  db: Db,
  actor: { role: Role; id: Value<string> } | null,
  contactId: Value<string>,
  rowLimit: Value<number>,
  types?: readonly InteractionType[],
  isOlder?: SQL,
) =>
  db
    .select({ ...getTableColumns(interactions), exact: exactInstant(interactions.date) })
    .from(interactions)
    .where(and(eq(interactions.contactId, contactId), matchesVisibleTypes({ actor }, types), matchesVisibleTasks({ actor }), isOlder))
    .orderBy(desc(interactions.date), desc(interactions.id))
    .limit(rowLimit)

/** The first page of the whole timeline, as each role sees it. */
const firstPages = new Map(
  roles.map((role) => [
    role,
    prepared((db) =>
      timelinePage(db, { role, id: sql.placeholder('actorId') }, sql.placeholder('contactId'), sql.placeholder('rowLimit')).prepare(
        `timeline-${role}`,
      ),
    ),
  ]),
)

interface TimelinePage {
  contactId: string
  cursor?: InstantPlace | undefined
  kind?: TimelineKind | undefined
  limit: number
}

/** A page of the entries on a patient's timeline that the actor may see, newest first. Null: the patient does not exist. */
export async function listInteractions(scope: Scope, { contactId, cursor, kind, limit }: TimelinePage) {
  const { db, actor } = scope
  const rowLimit = limit + 1
  const read =
    cursor || kind || !actor
      ? timelinePage(db, actor, contactId, rowLimit, kind && kindTypes[kind], isOlderThan(cursor, interactions.date, interactions.id))
      : firstPages.get(actor.role)!(db).execute({ contactId, rowLimit, actorId: actor.id })
  const rows = await readOfPatient(scope, 'interaction', contactId, read)
  return rows && cursorPage(rows, limit, placeOf)
}
