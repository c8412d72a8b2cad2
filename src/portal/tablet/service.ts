import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Env } from '../../kernel/env.ts'
import { publish } from '../../kernel/events/events.ts'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { isStamped, stamp } from '../../kernel/seal.ts'
import { hashToken, newDigits, newToken } from '../../kernel/tokens.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import { verifiedScope } from '../sessions.ts'
import type { TabletSession } from './contract.ts'
import { isSameItem, itemsOfContact, type NamedItem, ownItems } from './items.ts'
import { pairingCodeLength, pairingLimit, type TabletEnding, type TabletItem } from './rules.ts'
import { tabletScope } from './sessions.ts'
import { tabletSessions } from './table.ts'

type Row = typeof tabletSessions.$inferSelect

// As a code of the portal, but for no address: among the codes that wait, each is given once.
const purpose = 'tablet code'
const stampCode = (env: Env, code: string): string => stamp(env, purpose, code)
const matchesCode = (env: Env, code: string, { codeHash }: Row): boolean => isStamped(env, purpose, code, codeHash)

const toSession = (row: Row, all: readonly NamedItem[]): TabletSession => ({
  ...row,
  items: row.items.flatMap((item) => all.find((one) => isSameItem(one, item)) ?? []),
})

/** What the patient can do on a tablet, and the tablet that was given last. Null: no such patient. */
export async function tabletOfContact(scope: Scope, contactId: string) {
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const items = await itemsOfContact(scope, contactId)
  const [last] = await scope.db
    .select()
    .from(tabletSessions)
    .where(eq(tabletSessions.contactId, contactId))
    .orderBy(desc(tabletSessions.openedAt), desc(tabletSessions.id))
    .limit(1)
  return { items: items.filter(({ state }) => state === 'open'), session: last ? toSession(last, items) : null }
}

/** Gives a patient a tablet, which ends any other that this patient has. The code is returned here only. */
export async function openTablet(scope: Scope, { contactId, items }: { contactId: string; items: TabletItem[] }) {
  const all = await itemsOfContact(scope, contactId)
  const isOpen = (item: TabletItem) => all.some((one) => isSameItem(one, item) && one.state === 'open')
  if (!items.every(isOpen)) return invalidReference({ items: 'The patient can’t do this now. Reload the page and choose again.' })
  return transact(scope.db, async (tx) => {
    // One at a time, so that no two tablets wait for the same code.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('tablet codes', 0))`)
    const before = await tx
      .select()
      .from(tabletSessions)
      .where(and(eq(tabletSessions.contactId, contactId), isNull(tabletSessions.endedAt)))
    for (const row of before) await end(tx, scope, row, 'replaced')
    const waiting = await tx.select().from(tabletSessions).where(isWaiting(scope))
    let code = newDigits(pairingCodeLength)
    while (waiting.some((row) => matchesCode(scope.env, code, row))) code = newDigits(pairingCodeLength)
    const now = scope.now()
    const [row] = await tx
      .insert(tabletSessions)
      .values({
        contactId,
        items,
        openedBy: staff(scope).id,
        openedAt: now,
        codeHash: stampCode(scope.env, code),
        codeExpiresAt: new Date(now.getTime() + pairingLimit),
      })
      .returning()
    await recordChange(tx, scope, { action: 'created', kind: 'tablet', contactIds: [contactId], after: { id: row!.id, items } })
    await publish(tx, 'tablet', contactId)
    return { ...toSession(row!, all), code }
  })
}

/** Ends a tablet's session, or voids its code. Null: no such tablet. */
export async function endTablet(scope: Scope, id: string) {
  const row = await transact(scope.db, async (tx) => {
    const [found] = await tx.select().from(tabletSessions).where(eq(tabletSessions.id, id)).for('update')
    if (!found) return null
    return found.endedAt === null ? end(tx, scope, found, 'staff') : found
  })
  return row && toSession(row, await itemsOfContact(scope, row.contactId))
}

async function end(tx: Db, scope: Scope, { id, contactId }: Row, endedBy: TabletEnding): Promise<Row> {
  const [row] = await tx.update(tabletSessions).set({ endedAt: scope.now(), endedBy }).where(eq(tabletSessions.id, id)).returning()
  await recordChange(tx, scope, { action: 'changed', kind: 'tablet', contactIds: [contactId], after: { id, endedBy } })
  await publish(tx, 'tablet', contactId)
  return row!
}

/** The tablets whose code can still be entered. */
const isWaiting = ({ now }: Scope) =>
  and(isNull(tabletSessions.pairedAt), isNull(tabletSessions.endedAt), gt(tabletSessions.codeExpiresAt, now()))

/**
 * Exchanges a code for a session. A wrong one is no one's: it counts against the network address that it came from, so that no one can void the
 * codes of others. INVALID_CODE: wrong, expired or used, without saying which. SIGNED_IN: the browser is signed in as staff.
 */
export async function pairTablet(scope: Scope, code: string) {
  const address = rateLimitKey(scope.origin.address)
  if (!(await scope.attempts.consume('tabletCodeAddress', address))) return refuse('TOO_MANY_REQUESTS')
  if (scope.actor !== null) return refuse('SIGNED_IN')
  const token = newToken()
  const paired = await transact(scope.db, async (tx) => {
    const waiting = await tx.select().from(tabletSessions).where(isWaiting(scope))
    const found = waiting.find((one) => matchesCode(scope.env, code, one))
    // Once, however often it is entered at the same moment.
    const [row] = found
      ? await tx
          .select()
          .from(tabletSessions)
          .where(and(eq(tabletSessions.id, found.id), isWaiting(scope)))
          .for('update')
      : []
    if (!row) return null
    const [contact] = await tx.select().from(contacts).where(eq(contacts.id, row.contactId))
    if (!contact) return null
    const now = scope.now()
    await tx
      .update(tabletSessions)
      .set({ pairedAt: now, lastSeenAt: now, tokenHash: hashToken(token) })
      .where(eq(tabletSessions.id, row.id))
    await recordChange(tx, scope, { action: 'changed', kind: 'tablet', contactIds: [contact.id], after: { id: row.id, isPaired: true } })
    await publish(tx, 'tablet', contact.id)
    const [opener] = await tx.select({ name: profiles.name }).from(profiles).where(eq(profiles.id, row.openedBy))
    return { row, contact, openedByName: opener!.name }
  })
  if (!paired) return refuse('INVALID_CODE')
  await scope.attempts.forgive('tabletCodeAddress', address)
  const { id, items, openedBy } = paired.row
  const own = verifiedScope(scope, paired.contact, { sessionId: id, tablet: { items, openedBy } })
  return {
    sessionToken: token,
    contact: { id: own.patient, first_name: own.firstName },
    language: own.language ?? ('en' as const),
    items: await ownItems(own, items),
    openedByName: paired.openedByName,
  }
}

/** What the patient does on this tablet, with what is done. */
export async function tabletItems(scope: Scope, sessionToken: string) {
  const own = await tabletScope(scope, sessionToken)
  return own ? { items: await ownItems(own, own.tablet!.items) } : refuse('SESSION_OVER')
}

/** Ends the session of a tablet that is handed back or closed. */
export async function endOnTablet(scope: Scope, sessionToken: string): Promise<void> {
  await transact(scope.db, async (tx) => {
    const [row] = await tx
      .select()
      .from(tabletSessions)
      .where(and(eq(tabletSessions.tokenHash, hashToken(sessionToken)), isNull(tabletSessions.endedAt)))
      .for('update')
    if (row) await end(tx, scope, row, 'tablet')
  })
}
