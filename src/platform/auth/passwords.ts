import os from 'node:os'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { and, eq } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { accounts } from './table.ts'

/** OWASP's parameters for argon2id: 19 MiB, two passes. The enum is type-only, so its value is repeated here. */
const argon = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each hash takes a core for a while, and 19 MiB: a flood must leave capacity for the rest of the server. */
const limitConcurrency = pLimit(Math.max(1, Math.min(4, os.availableParallelism() - 1)))
/** About two seconds' worth; requests beyond that are asked to retry. */
const maxQueued = 100

/** Whether the password queue is full. */
export const isHashQueueFull = (): boolean => limitConcurrency.pendingCount >= maxQueued

/** Refuses a request while the password queue is full. */
export const limitHashing = () => (isHashQueueFull() ? refuse('TOO_MANY_REQUESTS') : true)

export const hashPassword = (password: string): Promise<string> => limitConcurrency(() => hash(password, argon))
export const verifyPassword = (stored: string, password: string): Promise<boolean> => limitConcurrency(() => verify(stored, password))

/** Whether this is the account's password. Without one, it takes as long. */
export async function isPasswordOf(db: Db, userId: string, password: string): Promise<boolean> {
  const [row] = await db
    .select({ stored: accounts.password })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')))
  if (row?.stored) return verifyPassword(row.stored, password)
  await hashPassword(password)
  return false
}

/** Replaces an account's password. */
export const setPassword = async (tx: Db, userId: string, password: string): Promise<void> =>
  storePasswordHash(tx, userId, await hashPassword(password))

/** Replaces an account's password with one that is already hashed. */
export async function storePasswordHash(tx: Db, userId: string, stored: string): Promise<void> {
  await tx.delete(accounts).where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')))
  await tx.insert(accounts).values({ userId, accountId: userId, providerId: 'credential', password: stored })
}
