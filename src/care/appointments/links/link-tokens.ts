import { eq, lt } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { deriveToken } from '../../../kernel/seal.ts'
import { hashToken } from '../../../kernel/tokens.ts'
import type { Row } from '../bookings.ts'
import { appointmentLinks } from '../table.ts'

/** The secret of the link to an appointment at its current time, which is always the same. Only its hash is stored. */
export async function linkTokenOf(tx: Db, { env, now }: Scope, { id, startsAt }: Row): Promise<string> {
  const token = deriveToken(env, 'appointment link', `${id} ${startsAt.toISOString()}`)
  const row = { tokenHash: hashToken(token), appointmentId: id, startsAt, createdAt: now() }
  await tx.insert(appointmentLinks).values(row).onConflictDoNothing()
  return token
}

/** The link of a token; null if it is unknown or purged. */
export async function findLink(db: Db, token: string): Promise<typeof appointmentLinks.$inferSelect | null> {
  const [link] = await db
    .select()
    .from(appointmentLinks)
    .where(eq(appointmentLinks.tokenHash, hashToken(token)))
  return link ?? null
}

/** Deletes links whose appointment time has passed: they no longer work. */
export async function purgeLinks({ db, now }: Scope): Promise<void> {
  await db.delete(appointmentLinks).where(lt(appointmentLinks.startsAt, now()))
}
