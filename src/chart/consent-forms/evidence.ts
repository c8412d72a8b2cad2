import { createHash } from 'node:crypto'
import { asc, desc, eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { canonicalJson } from '../../shared/canonical-json.ts'
import type { EventKind } from './event-rules.ts'
import type { ConsentText } from './rules.ts'
import { consentEvents } from './table.ts'

type EventRow = typeof consentEvents.$inferSelect

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The hash of everything that a signature confirms. */
export const hashOfText = (versionId: string, text: ConsentText): string => sha256(canonicalJson({ versionId, text }))

const hashOfEvent = (previous: string | null, { hash: _, ...event }: EventRow): string =>
  sha256(canonicalJson({ previous, ...event, at: event.at.toISOString() }))

/** Whether each step has the hash over itself and the one before. */
export const isUnbroken = (events: readonly EventRow[]): boolean =>
  events.every((event, at) => event.hash === hashOfEvent(events[at - 1]?.hash ?? null, event))

/** Adds a step. The caller has locked the consent form. `name`: of the patient or someone who signs for them; staff have theirs. */
export async function addEvent(
  tx: Db,
  scope: Scope,
  consentFormId: string,
  { kind, name, detail = {} }: { kind: EventKind; name: string; detail?: Record<string, unknown> },
): Promise<EventRow> {
  const [last] = await tx
    .select({ hash: consentEvents.hash })
    .from(consentEvents)
    .where(eq(consentEvents.consentFormId, consentFormId))
    .orderBy(desc(consentEvents.id))
    .limit(1)
  const { actor, origin } = scope
  const event = {
    id: uuidv7(),
    consentFormId,
    kind,
    at: scope.now(),
    actorId: actor?.id ?? null,
    actorName: actor?.name ?? name,
    address: origin.address,
    device: origin.device ?? null,
    detail,
    hash: '',
  }
  const [row] = await tx
    .insert(consentEvents)
    .values({ ...event, hash: hashOfEvent(last?.hash ?? null, event) })
    .returning()
  return row!
}

export const eventsOf = (db: Db, consentFormId: string): Promise<EventRow[]> =>
  db.select().from(consentEvents).where(eq(consentEvents.consentFormId, consentFormId)).orderBy(asc(consentEvents.id))
