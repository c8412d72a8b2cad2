import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Env } from './env.ts'

const cipher = 'aes-256-gcm'
const [ivBytes, tagBytes] = [12, 16]

type Key = { id: string; bytes: Buffer }

/** A key for one use alone, made from the installation's secret. Its id tells which secret it was, and nothing of it. */
function keyFrom(secret: string, use: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, 'refyne sealed', use, 32))
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}

/**
 * Text that is kept encrypted, such as another system's tokens: AES-256-GCM under a key for this use, written with the key's id, so that
 * APP_SECRET can change: what was sealed under one of OLD_APP_SECRETS still opens, and is sealed again when it is next written.
 */
export function seal(env: Pick<Env, 'APP_SECRET'>, use: string, text: string): string {
  const key = keyFrom(env.APP_SECRET, use)
  const iv = randomBytes(ivBytes)
  const sealing = createCipheriv(cipher, key.bytes, iv).setAAD(Buffer.from(use))
  const sealed = Buffer.concat([iv, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()])
  return `${key.id}.${sealed.toString('base64url')}`
}

/** Null: it was sealed under a secret that is no longer known, for another use, or was altered. */
export function unseal(env: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>, use: string, sealed: string): string | null {
  const [id, text = ''] = sealed.split('.')
  const key = [env.APP_SECRET, ...env.OLD_APP_SECRETS].map((secret) => keyFrom(secret, use)).find((known) => known.id === id)
  const bytes = Buffer.from(text, 'base64url')
  if (!key || bytes.length < ivBytes + tagBytes) return null
  try {
    const opening = createDecipheriv(cipher, key.bytes, bytes.subarray(0, ivBytes), { authTagLength: tagBytes }).setAAD(Buffer.from(use))
    opening.setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([opening.update(bytes.subarray(ivBytes, -tagBytes)), opening.final()]).toString('utf8')
  } catch {
    return null
  }
}

const macOf = ({ bytes }: Key, text: string): Buffer => createHmac('sha256', bytes).update(text).digest()

/** Text that anyone may read and no one else can have made: with its HMAC under a key for this use, fit for an address: no dot, as files have. */
export function sign(env: Pick<Env, 'APP_SECRET'>, use: string, text: string): string {
  const key = keyFrom(env.APP_SECRET, use)
  return `${Buffer.from(text).toString('base64url')}~${macOf(key, text).toString('base64url')}`
}

/** The text of what `sign` made, under one of the old secrets too; null of anything else, after the same work. */
export function openSigned(env: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>, use: string, signed: string): string | null {
  const [encoded = '', mac = ''] = signed.split('~')
  const text = Buffer.from(encoded, 'base64url').toString('utf8')
  const given = Buffer.from(mac)
  const isOurs = [env.APP_SECRET, ...env.OLD_APP_SECRETS]
    .map((secret) => Buffer.from(macOf(keyFrom(secret, use), text).toString('base64url')))
    .map((expected) => given.length === expected.length && timingSafeEqual(given, expected))
    .some(Boolean)
  // Only as it was written: an encoding that says the same is not ours.
  return isOurs && signed === `${encoded}~${mac}` && Buffer.from(text).toString('base64url') === encoded ? text : null
}

/** What shows that a text is as this installation has had it: its HMAC under a key for this use, with the key's id. */
export function stamp(env: Pick<Env, 'APP_SECRET'>, use: string, text: string): string {
  const key = keyFrom(env.APP_SECRET, use)
  return `${key.id}.${macOf(key, text).toString('base64url')}`
}

/** Whether a stamp is of this text, under one of the old secrets too. */
export function isStamped(env: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>, use: string, text: string, stamped: string): boolean {
  const given = Buffer.from(stamped)
  return [env.APP_SECRET, ...env.OLD_APP_SECRETS].some((secret) => {
    const expected = Buffer.from(stamp({ APP_SECRET: secret }, use, text))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
