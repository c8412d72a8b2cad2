import os from 'node:os'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { and, eq } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { accounts } from './table.ts'

/** OWASP's parameters for argon2id: 19 MiB, two passes. The enum is a type only, so its value appears here. */
const argon = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each takes a core for a while, and 19 MiB: a flood of them must leave the rest of the server its own. */
const atOnce = pLimit(Math.max(1, Math.min(4, os.availableParallelism() - 1)))
/** About two seconds' worth; anyone who comes later is asked to come back. */
const maxQueued = 100

/** Whether so many passwords wait to be hashed that another one had better be refused. */
export const isBusyHashing = (): boolean => atOnce.pendingCount >= maxQueued

/** Refuses another password while so many wait. */
export const limitHashing = () => (isBusyHashing() ? refuse('TOO_MANY_REQUESTS') : true)

export const hashPassword = (password: string): Promise<string> => atOnce(() => hash(password, argon))
export const verifyPassword = (stored: string, password: string): Promise<boolean> => atOnce(() => verify(stored, password))

/** Whether this is the account's password. */
export async function isPasswordOf(db: Db, userId: string, password: string): Promise<boolean> {
  const [row] = await db
    .select({ stored: accounts.password })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')))
  return row?.stored ? verifyPassword(row.stored, password) : false
}

/** Gives an account a password in place of the one it had. */
export const setPassword = async (tx: Db, userId: string, password: string): Promise<void> =>
  keepPassword(tx, userId, await hashPassword(password))

/** The same with one that is hashed already. */
export async function keepPassword(tx: Db, userId: string, stored: string): Promise<void> {
  await tx.delete(accounts).where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')))
  await tx.insert(accounts).values({ userId, accountId: userId, providerId: 'credential', password: stored })
}
