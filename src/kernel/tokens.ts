import { createHash, randomBytes, randomInt } from 'node:crypto'

/** A secret of 256 random bits for a link, a session or a key, as 43 URL-safe characters. Store its hash, never the token. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The SHA-256 of a secret, in base64url: what the database stores, so that a reader of the database cannot use it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A random code that people type: digits only. */
export const newDigits = (length: number): string => String(randomInt(10 ** length)).padStart(length, '0')
