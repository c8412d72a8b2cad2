import { createHash, randomBytes } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { assignableRoles } from '../../crm/contacts/rules.ts'
import { calendarFeeds } from './table.ts'

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')
const urlOf = ({ APP_URL }: Env, token: string): string => `${APP_URL}/api/calendar/${token}.ics`

/** Whether the actor's calendar can be subscribed to. */
export async function myFeed(scope: Scope) {
  const [feed] = await scope.db
    .select()
    .from(calendarFeeds)
    .where(eq(calendarFeeds.profileId, staff(scope).id))
  return { feed: feed ?? null }
}

/** Makes the secret address of the actor's calendar, which leaves here and is kept nowhere. An earlier one no longer works. */
export async function makeFeed(scope: Scope) {
  const profileId = staff(scope).id
  const token = randomBytes(32).toString('base64url')
  const values = { tokenHash: hashOf(token), createdAt: scope.now(), readAt: null }
  return scope.db.transaction(async (tx) => {
    const [feed] = await tx
      .insert(calendarFeeds)
      .values({ profileId, ...values })
      .onConflictDoUpdate({ target: calendarFeeds.profileId, set: values })
      .returning()
    await record(tx, scope, 'created', profileId)
    return { url: urlOf(scope.env, token), feed: feed! }
  })
}

/** Ends the address of the actor's calendar; where there is none, nothing happens. */
export async function revokeFeed(scope: Scope): Promise<void> {
  const profileId = staff(scope).id
  await scope.db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(calendarFeeds)
      .where(eq(calendarFeeds.profileId, profileId))
      .returning({ profileId: calendarFeeds.profileId })
    if (gone) await record(tx, scope, 'deleted', profileId)
  })
}

const record = (tx: Db, scope: Scope, action: 'created' | 'deleted', profileId: string) =>
  recordChange(tx, scope, { action, kind: 'calendar-feed', contactIds: [], after: { profileId } })

/** Whose address it is. Null: no one's, or that of someone who is no provider any more, or whose account was disabled. */
export async function ownerOf(db: Db, token: string) {
  const [owner] = await db
    .select({ id: profiles.id, name: profiles.name, email: profiles.email, role: profiles.role, status: profiles.status })
    .from(calendarFeeds)
    .innerJoin(profiles, eq(profiles.id, calendarFeeds.profileId))
    .where(
      and(
        eq(calendarFeeds.tokenHash, hashOf(token)),
        eq(profiles.status, 'active'),
        inArray(profiles.role, [...assignableRoles.assignedProviderId]),
      ),
    )
  return owner ?? null
}

export async function wasRead({ db, now }: Scope, profileId: string): Promise<void> {
  await db.update(calendarFeeds).set({ readAt: now() }).where(eq(calendarFeeds.profileId, profileId))
}
