import { z } from 'zod'
import { accountStatuses, roles } from './rules.ts'

export const sessionUser = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  role: z.enum(roles),
  status: z.enum(accountStatuses),
})
export type SessionUser = z.output<typeof sessionUser>

/** Seconds until a session ends: unless something is done in the meantime, and in any case. */
export const life = z.object({ idleSeconds: z.number().int(), seconds: z.number().int() })
export type SessionLife = z.output<typeof life>

/** What every screen needs before it draws: who is signed in, and the practice's own settings. */
export const session = z.object({
  user: sessionUser.nullable(),
  /** Null: no one is signed in. */
  life: life.nullable(),
  practice: z.object({
    name: z.string(),
    subtitle: z.string(),
    /** Whom patients call, and when; empty where it is not set. */
    phone: z.string(),
    hours: z.string(),
    timeZone: z.string(),
    brandHue: z.number().nullable(),
    /** Of its picture, at /api/practice/logo/{logo}.png. */
    logo: z.string().nullable(),
    demo: z.boolean(),
    /** Spec 7's anonymous bearer of the patient portal. It is public and proves nothing. */
    portalToken: z.string(),
  }),
})
