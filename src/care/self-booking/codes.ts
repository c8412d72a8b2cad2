import type { Env } from '../../kernel/env.ts'
import { isStamped, stamp } from '../../kernel/seal.ts'

// A code is short enough to guess, so its stored hash is keyed with the installation's secret and bound to the booking.
const purpose = 'booking code'
export const stampCode = (env: Env, id: string, code: string): string => stamp(env, purpose, `${id}\0${code}`)
export const isSentCode = (env: Env, id: string, code: string, stored: string): boolean => isStamped(env, purpose, `${id}\0${code}`, stored)
