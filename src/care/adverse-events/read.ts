import { and, desc, eq, getTableColumns, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { clinicalNotes } from '../../chart/notes/table.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { surgeries } from '../surgeries/table.ts'
import type { AdverseEvent } from './contract.ts'
import type { EventKindName } from './rules.ts'
import { adverseEvents } from './table.ts'

const select = (db: Db) =>
  db
    .select({
      ...getTableColumns(adverseEvents),
      exact: exactInstant(adverseEvents.occurredAt),
      contact: {
        id: contacts.id,
        firstName: contacts.firstName,
        lastName: contacts.lastName,
        preferredName: contacts.preferredName,
        dateOfBirth: contacts.dateOfBirth,
      },
      surgery: { id: surgeries.id, startsAt: surgeries.startsAt, procedures: surgeries.procedures, surgeonId: surgeries.surgeonId },
      narrative: { id: clinicalNotes.id, status: clinicalNotes.status },
    })
    .from(adverseEvents)
    .innerJoin(contacts, eq(contacts.id, adverseEvents.contactId))
    .leftJoin(surgeries, eq(surgeries.id, adverseEvents.surgeryId))
    .leftJoin(clinicalNotes, eq(clinicalNotes.id, adverseEvents.noteId))

const order = [desc(adverseEvents.occurredAt), desc(adverseEvents.id)]

/** Has to be reported and is not. */
export const isOpenReport = and(isNotNull(adverseEvents.dueOn), isNull(adverseEvents.filedOn), isNull(adverseEvents.voidedAt))

interface Wanted {
  kind?: EventKindName | undefined
  surgeonId?: string | undefined
  report?: 'open' | 'filed' | undefined
  cursor?: InstantPlace | undefined
  limit: number
}

/** A page of the register, latest first, and how many reports are open in the whole register. */
export async function listEvents(scope: Scope, { kind, surgeonId, report, cursor, limit }: Wanted) {
  const conditions: (SQL | undefined)[] = [
    kind && eq(adverseEvents.kind, kind),
    surgeonId ? eq(surgeries.surgeonId, surgeonId) : undefined,
    report === 'open' ? isOpenReport : report === 'filed' ? isNotNull(adverseEvents.filedOn) : undefined,
    isOlderThan(cursor, adverseEvents.occurredAt, adverseEvents.id),
  ]
  const [rows, openCount] = await Promise.all([
    select(scope.db)
      .where(and(...conditions))
      .orderBy(...order)
      .limit(limit + 1),
    scope.db.$count(adverseEvents, isOpenReport),
  ])
  const page = cursorPage(rows, limit, placeOf)
  const contactIds = [...new Set(page.data.map(({ contact }) => contact.id))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'adverse event', contactIds })
  return { ...page, openCount }
}

/** A patient's adverse events, latest first. Null: no such patient. */
export const eventsOf = (scope: Scope, contactId: string): Promise<AdverseEvent[] | null> =>
  readOfPatient(
    scope,
    'adverse event',
    contactId,
    select(scope.db)
      .where(eq(adverseEvents.contactId, contactId))
      .orderBy(...order),
  )

/** An event, or null. */
export async function getEvent(db: Db, id: string): Promise<AdverseEvent | null> {
  const [row] = await select(db).where(eq(adverseEvents.id, id))
  return row ?? null
}

export async function viewEvent(scope: Scope, id: string): Promise<AdverseEvent | null> {
  const event = await getEvent(scope.db, id)
  if (event) await scope.recordView({ kind: 'adverse event', contactIds: [event.contact.id] })
  return event
}
