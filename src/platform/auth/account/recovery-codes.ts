import { randomInt } from 'node:crypto'
import { normalizeRecoveryCode } from '../rules.ts'

/** Excludes characters that are easily confused in print: i, l, o, 0 and 1. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten letters each: about 49 bits, with five tries before the password is required again. */
const newCode = (): string => normalizeRecoveryCode(Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join(''))

export const newRecoveryCodes = (): string[] => Array.from({ length: 10 }, newCode)
