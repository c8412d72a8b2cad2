import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Env } from './env.ts'

const cipher = 'aes-256-gcm'
const [ivBytes, tagBytes] = [12, 16]

type Key = { id: string; bytes: Buffer }

/** A key for one purpose, derived from the installation's secret. Its id identifies the secret without revealing it. */
function keyFrom(secret: string, purpose: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, 'refyne sealed', purpose, 32))
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}

/** The keys of stored files: the current one first, and those of old secrets, with which they can still be read. */
export const fileKeys = ({ APP_SECRET, OLD_APP_SECRETS }: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>): [Key, ...Key[]] => [
  keyFrom(APP_SECRET, 'files'),
  ...OLD_APP_SECRETS.map((secret) => keyFrom(secret, 'files')),
]

/**
 * Encrypts text for storage, such as another system's tokens: AES-256-GCM with a key for this purpose. The key's id is included, so that
 * APP_SECRET can change: text sealed with one of OLD_APP_SECRETS still opens, and is sealed with the new secret when next written.
 */
export function seal(env: Pick<Env, 'APP_SECRET'>, purpose: string, text: string): string {
  const key = keyFrom(env.APP_SECRET, purpose)
  const iv = randomBytes(ivBytes)
  const sealing = createCipheriv(cipher, key.bytes, iv).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([iv, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()])
  return `${key.id}.${sealed.toString('base64url')}`
}

/** Decrypts sealed text. Null if its secret is no longer configured, its purpose differs, or it was altered. */
export function unseal(env: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>, purpose: string, sealed: string): string | null {
  const [id, text = ''] = sealed.split('.')
  const key = [env.APP_SECRET, ...env.OLD_APP_SECRETS].map((secret) => keyFrom(secret, purpose)).find((known) => known.id === id)
  const bytes = Buffer.from(text, 'base64url')
  if (!key || bytes.length < ivBytes + tagBytes) return null
  try {
    const opening = createDecipheriv(cipher, key.bytes, bytes.subarray(0, ivBytes), { authTagLength: tagBytes }).setAAD(
      Buffer.from(purpose),
    )
    opening.setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([opening.update(bytes.subarray(ivBytes, -tagBytes)), opening.final()]).toString('utf8')
  } catch {
    return null
  }
}

const macOf = ({ bytes }: Key, text: string): Buffer => createHmac('sha256', bytes).update(text).digest()

/**
 * Readable text with an HMAC that proves we created it, for this purpose. Safe in a URL, without a dot that looks like a file extension.
 */
export function sign(env: Pick<Env, 'APP_SECRET'>, purpose: string, text: string): string {
  const key = keyFrom(env.APP_SECRET, purpose)
  return `${Buffer.from(text).toString('base64url')}~${macOf(key, text).toString('base64url')}`
}

/** The text of a value from `sign`, also under an old secret; null for anything else, in constant time. */
export function openSigned(env: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>, purpose: string, signed: string): string | null {
  const [encoded = '', mac = ''] = signed.split('~')
  const text = Buffer.from(encoded, 'base64url').toString('utf8')
  const given = Buffer.from(mac)
  const isOurs = [env.APP_SECRET, ...env.OLD_APP_SECRETS]
    .map((secret) => Buffer.from(macOf(keyFrom(secret, purpose), text).toString('base64url')))
    .map((expected) => given.length === expected.length && timingSafeEqual(given, expected))
    .some(Boolean)
  // Accepts only our exact encoding, not an equivalent one.
  return isOurs && signed === `${encoded}~${mac}` && Buffer.from(text).toString('base64url') === encoded ? text : null
}

/**
 * A secret of 43 URL-safe characters that is the same whenever it is made for this text and purpose, and that no one can make without APP_SECRET. Store its
 * hash, never the token.
 */
export const deriveToken = (env: Pick<Env, 'APP_SECRET'>, purpose: string, text: string): string =>
  macOf(keyFrom(env.APP_SECRET, purpose), text).toString('base64url')

/** An HMAC of a text for this purpose, with the key's id, to verify later that the text is unchanged. */
export function stamp(env: Pick<Env, 'APP_SECRET'>, purpose: string, text: string): string {
  const key = keyFrom(env.APP_SECRET, purpose)
  return `${key.id}.${macOf(key, text).toString('base64url')}`
}

/** Whether a stamp belongs to this text, also under an old secret. */
export function isStamped(env: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>, purpose: string, text: string, stamped: string): boolean {
  const given = Buffer.from(stamped)
  return [env.APP_SECRET, ...env.OLD_APP_SECRETS].some((secret) => {
    const expected = Buffer.from(stamp({ APP_SECRET: secret }, purpose, text))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
