import { randomInt } from 'node:crypto'
import { inRecoveryForm } from '../rules.ts'

/** None that is taken for another when it is read from paper: no i, l, o, 0 or 1. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten letters each: about 49 bits, tried five times at most before the password is asked for again. */
const newCode = (): string => inRecoveryForm(Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join(''))

export const newRecoveryCodes = (): string[] => Array.from({ length: 10 }, newCode)
