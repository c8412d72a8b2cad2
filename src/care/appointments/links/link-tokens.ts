import { createHash, randomBytes } from 'node:crypto'
import { eq, lt } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import type { Row } from '../bookings.ts'
import { appointmentLinks } from '../table.ts'

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A secret for a link to an appointment at the time that it has now. It leaves here and is kept nowhere. */
export async function newLink(tx: Db, { now }: Scope, { id, startsAt }: Row): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await tx.insert(appointmentLinks).values({ tokenHash: hashOf(token), appointmentId: id, startsAt, createdAt: now() })
  return token
}

/** Null: no one has made this token, or what it was for is long over. */
export async function findLink(db: Db, token: string): Promise<typeof appointmentLinks.$inferSelect | null> {
  const [link] = await db
    .select()
    .from(appointmentLinks)
    .where(eq(appointmentLinks.tokenHash, hashOf(token)))
  return link ?? null
}

/** Links whose time has come open nothing any more. */
export async function purgeLinks({ db, now }: Scope): Promise<void> {
  await db.delete(appointmentLinks).where(lt(appointmentLinks.startsAt, now()))
}
