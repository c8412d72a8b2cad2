import { and, isNull, lte } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { seal as sealText, unseal } from '../../kernel/seal.ts'
import { recordChange } from '../audit/service.ts'
import { fingerprintOf } from './check.ts'
import type { KeyPair } from './certificate.ts'
import { createKey } from './sealing.ts'
import { signingKeys, timestampCertificates } from './table.ts'

type Row = typeof signingKeys.$inferSelect

const sealPurpose = 'signing key'
const validYears = 10

/** The key that seals: the one in use, or a new one if there is none, or its certificate has expired. */
export async function keyInUse(scope: Scope): Promise<KeyPair & { name: string }> {
  const row = (await findInUse(scope)) ?? (await addKey(scope))
  const key = unseal(scope.env, sealPurpose, row.sealedKey)
  if (key === null)
    throw new Error('The signing key cannot be opened: APP_SECRET has changed. Keep the old one in OLD_APP_SECRETS, or rotate the key.')
  return { name: row.name, key: Buffer.from(key, 'base64'), certificate: Buffer.from(row.certificate, 'base64') }
}

async function findInUse(scope: Pick<Scope, 'db' | 'now'>): Promise<Row | null> {
  const [row] = await scope.db.select().from(signingKeys).where(isNull(signingKeys.retiredAt))
  return row && row.expiresAt > scope.now() ? row : null
}

/** Adds the first key, or one in place of an expired one. Of two processes that do so at the same moment, both get the same. */
async function addKey(scope: Scope): Promise<Row> {
  const values = await newKey(scope, null)
  await scope.db.transaction(async (tx) => {
    const now = scope.now()
    await tx
      .update(signingKeys)
      .set({ retiredAt: now })
      .where(and(isNull(signingKeys.retiredAt), lte(signingKeys.expiresAt, now)))
    const [added] = await tx.insert(signingKeys).values(values).onConflictDoNothing().returning()
    if (added) await recordKey(tx, scope, added)
  })
  const row = await findInUse(scope)
  if (!row) throw new Error('The signing key was not stored')
  return row
}

async function newKey(scope: Scope, createdBy: string | null): Promise<typeof signingKeys.$inferInsert> {
  const createdAt = scope.now()
  const expiresAt = new Date(createdAt)
  expiresAt.setUTCFullYear(createdAt.getUTCFullYear() + validYears)
  const name = scope.env.PRACTICE_NAME
  const { key, certificate } = await createKey({ name, validFrom: createdAt, validUntil: expiresAt })
  return {
    name,
    certificate: Buffer.from(certificate).toString('base64'),
    fingerprint: fingerprintOf(certificate),
    sealedKey: sealText(scope.env, sealPurpose, Buffer.from(key).toString('base64')),
    createdAt,
    createdBy,
    expiresAt,
  }
}

async function recordKey(tx: Db, scope: Scope, { id, fingerprint, expiresAt }: Row): Promise<void> {
  await recordChange(tx, scope, { action: 'created', kind: 'signing key', contactIds: [], after: { id, fingerprint, expiresAt } })
}

/** Certificates that a seal may have been made with, or time-stamped by, in DER. */
export async function knownCertificates({ db }: Pick<Scope, 'db'>): Promise<Uint8Array[]> {
  const own = await db.select({ certificate: signingKeys.certificate }).from(signingKeys)
  const authorities = await db.select({ certificate: timestampCertificates.certificate }).from(timestampCertificates)
  return [...own, ...authorities].map(({ certificate }) => Buffer.from(certificate, 'base64'))
}

/** Remembers the certificate of an authority that gave us a time-stamp. */
export async function keepAuthority({ db, now }: Pick<Scope, 'db' | 'now'>, certificate: Uint8Array): Promise<void> {
  const values = { fingerprint: fingerprintOf(certificate), certificate: Buffer.from(certificate).toString('base64'), firstUsedAt: now() }
  await db.insert(timestampCertificates).values(values).onConflictDoNothing()
}
