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

/** Seconds until a session ends without activity (`idleSeconds`), and in any case (`seconds`). */
export const life = z.object({ idleSeconds: z.number().int(), seconds: z.number().int() })
export type SessionLife = z.output<typeof life>

/** What every page needs before it renders: the signed-in user and the practice's settings. */
export const session = z.object({
  user: sessionUser.nullable(),
  /** Null if no one is signed in. */
  life: life.nullable(),
  practice: z.object({
    name: z.string(),
    subtitle: z.string(),
    /** In French; empty: as in English. */
    subtitleFr: z.string(),
    /** Phone number and phone hours for patients; empty if not set. */
    phone: z.string(),
    hours: z.string(),
    hoursFr: z.string(),
    timeZone: z.string(),
    brandHue: z.number().nullable(),
    /** Hash of the logo, which is at /api/practice/logo/{logo}.png. */
    logo: z.string().nullable(),
    demo: z.boolean(),
    /** The anonymous bearer token of the patient portal (spec 7). It is public and grants nothing. */
    portalToken: z.string(),
    /** Single sign-on: the provider's name, and whether passwords are for emergencies only. Null if it is not set up. */
    sso: z.object({ name: z.string(), isOnly: z.boolean() }).nullable(),
  }),
})
