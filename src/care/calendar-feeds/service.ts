import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { hashToken, newToken } from '../../kernel/tokens.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { assignableRoles } from '../../crm/contacts/rules.ts'
import { calendarFeeds } from './table.ts'

const urlOf = ({ APP_URL }: Env, token: string): string => `${APP_URL}/api/calendar/${token}.ics`

/** The actor's calendar feed. */
export async function myFeed(scope: Scope) {
  const [feed] = await scope.db
    .select()
    .from(calendarFeeds)
    .where(eq(calendarFeeds.profileId, staff(scope).id))
  return { feed: feed ?? null }
}

/** Creates the private link of the actor's calendar. Only its hash is stored. An earlier link no longer works. */
export async function createFeed(scope: Scope) {
  const profileId = staff(scope).id
  const token = newToken()
  const values = { tokenHash: hashToken(token), createdAt: scope.now(), readAt: null }
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

/** Revokes the link of the actor's calendar, if there is one. */
export async function revokeFeed(scope: Scope): Promise<void> {
  const profileId = staff(scope).id
  await scope.db.transaction(async (tx) => {
    const [deleted] = await tx
      .delete(calendarFeeds)
      .where(eq(calendarFeeds.profileId, profileId))
      .returning({ profileId: calendarFeeds.profileId })
    if (deleted) await record(tx, scope, 'deleted', profileId)
  })
}

const record = (tx: Db, scope: Scope, action: 'created' | 'deleted', profileId: string) =>
  recordChange(tx, scope, { action, kind: 'calendar-feed', contactIds: [], after: { profileId } })

/** The owner of a link. Null if the link is unknown, or the owner is disabled or no longer a provider. */
export async function ownerOf(db: Db, token: string) {
  const [owner] = await db
    .select({ id: profiles.id, name: profiles.name, email: profiles.email, role: profiles.role, status: profiles.status })
    .from(calendarFeeds)
    .innerJoin(profiles, eq(profiles.id, calendarFeeds.profileId))
    .where(
      and(
        eq(calendarFeeds.tokenHash, hashToken(token)),
        eq(profiles.status, 'active'),
        inArray(profiles.role, [...assignableRoles.assignedProviderId]),
      ),
    )
  return owner ?? null
}

export async function recordRead({ db, now }: Scope, profileId: string): Promise<void> {
  await db.update(calendarFeeds).set({ readAt: now() }).where(eq(calendarFeeds.profileId, profileId))
}
