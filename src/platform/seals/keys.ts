import { and, desc, eq, isNull, lte, sql } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { seal as sealText, unseal } from '../../kernel/seal.ts'
import { recordChange } from '../audit/service.ts'
import { profiles } from '../auth/table.ts'
import { fingerprintOf } from './check.ts'
import type { KeyPair } from './certificate.ts'
import { createKey, exportKey } from './sealing.ts'
import { signingKeys, timestampCertificates } from './table.ts'

type Row = typeof signingKeys.$inferSelect

const sealPurpose = 'signing key'
const validYears = 10

/** The key that seals: the one in use, or a new one if there is none, or its certificate has expired. */
export async function keyInUse(scope: Scope): Promise<KeyPair & { name: string }> {
  const row = (await findInUse(scope)) ?? (await addKey(scope))
  const pair = openKey(scope, row)
  if (!pair)
    throw new Error('The signing key cannot be opened: APP_SECRET has changed. Keep the old one in OLD_APP_SECRETS, or rotate the key.')
  return { name: row.name, ...pair }
}

/** Null: its secret is not configured any more. */
function openKey({ env }: Pick<Scope, 'env'>, row: Pick<Row, 'sealedKey' | 'certificate'>): KeyPair | null {
  const key = unseal(env, sealPurpose, row.sealedKey)
  return key === null ? null : { key: Buffer.from(key, 'base64'), certificate: Buffer.from(row.certificate, 'base64') }
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
  await publish(tx, 'signing-key', id, { accounts: [], roles: ['admin'] })
}

const shown = {
  id: signingKeys.id,
  name: signingKeys.name,
  certificate: signingKeys.certificate,
  fingerprint: signingKeys.fingerprint,
  createdAt: signingKeys.createdAt,
  createdBy: profiles.name,
  expiresAt: signingKeys.expiresAt,
  retiredAt: signingKeys.retiredAt,
}
const select = (db: Db) => db.select(shown).from(signingKeys).leftJoin(profiles, eq(profiles.id, signingKeys.createdBy))
const withPem = <Key extends { certificate: string }>(key: Key): Key => ({
  ...key,
  certificate: `-----BEGIN CERTIFICATE-----\n${key.certificate.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`,
})

/** The newest first, without the keys themselves. */
export async function listKeys({ db }: Scope) {
  return (await select(db).orderBy(desc(signingKeys.createdAt), desc(signingKeys.id)).limit(200)).map(withPem)
}

/** Puts a new key in place of the one in use, whose certificate stays. */
export async function rotateKey(scope: Scope) {
  const values = await newKey(scope, staff(scope).id)
  return scope.db.transaction(async (tx) => {
    // One rotation after the other.
    await tx.execute(sql`lock table ${signingKeys} in share row exclusive mode`)
    await tx.update(signingKeys).set({ retiredAt: scope.now() }).where(isNull(signingKeys.retiredAt))
    const [added] = await tx.insert(signingKeys).values(values).returning()
    await recordKey(tx, scope, added!)
    const [key] = await select(tx).where(eq(signingKeys.id, added!.id))
    return withPem(key!)
  })
}

/** A key with its certificate as PKCS#12, for this password. Null: there is no such key. */
export async function exportSigningKey(scope: Scope, { id, password }: { id: string; password: string }) {
  const [row] = await scope.db.select().from(signingKeys).where(eq(signingKeys.id, id))
  if (!row) return null
  const pair = openKey(scope, row)
  if (!pair) return refuse('UNREADABLE')
  const file = await exportKey({ ...pair, password })
  const { fingerprint } = row
  await recordChange(scope.db, scope, { action: 'exported', kind: 'signing key', contactIds: [], after: { id, fingerprint } })
  return { file: Buffer.from(file).toString('base64') }
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
