import { createHash } from 'node:crypto'
import { canonicalJson } from '../../shared/canonical-json.ts'

/** Returns SHA-256 in hexadecimal, independent of field order. */
export const hashPayload = (payload: unknown): string => createHash('sha256').update(canonicalJson(payload)).digest('hex')
