import { and, asc, eq, inArray } from 'drizzle-orm'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { shareWork } from '../../kernel/shared-work.ts'
import type { Context } from '../../platform/context.ts'
import { profiles } from '../../platform/auth/table.ts'
import { openDays, takesCards } from '../appointments/service.ts'
import { listVisitTypes, openingsForPatients, readOffer } from '../availability/service.ts'
import { termsOf } from '../availability/terms-rules.ts'
import type { Offer } from './contract.ts'

/** The practice, and the visits that patients may book themselves, in order, with their providers. */
export async function listOffers(context: Context) {
  await context.practice.whenLoaded()
  const { env, db } = context
  const offered = (await listVisitTypes(db)).filter(({ isActive, isOnline }) => isActive && isOnline)
  const ids = [...new Set(offered.flatMap(({ providerIds }) => providerIds))]
  const [people, weekdays] = await Promise.all([
    db
      .select({ id: profiles.id, name: profiles.name })
      .from(profiles)
      .where(and(inArray(profiles.id, ids), eq(profiles.status, 'active')))
      .orderBy(asc(profiles.name), asc(profiles.id)),
    openDays(db),
  ])
  const visits = offered.map((type): Offer => {
    const { providerIds, id, name, nameFr, description, descriptionFr, minutes, patients, changeHours, priceCents } = type
    const providers = people.filter((one) => providerIds.includes(one.id))
    const depositKind = takesCards(env) ? type.depositKind : 'none'
    const terms = takesCards(env) ? termsOf(type, true) : null
    return {
      id,
      name,
      nameFr,
      description,
      descriptionFr,
      minutes,
      patients,
      changeHours,
      priceCents,
      depositKind,
      depositCents: terms?.depositCents ?? 0,
      lateFeeCents: terms?.lateFeeCents ?? 0,
      providers,
    }
  })
  return {
    practice: {
      name: env.PRACTICE_NAME,
      subtitle: env.PRACTICE_SUBTITLE,
      subtitleFr: env.PRACTICE_SUBTITLE_FR,
      phone: env.PRACTICE_PHONE,
      address: env.PRACTICE_ADDRESS,
      timeZone: env.PRACTICE_TIME_ZONE,
      openDays: weekdays,
      brandHue: env.BRAND_HUE ?? null,
      logo: context.practice.logo()?.hash ?? null,
      demo: env.DEMO,
    },
    // One whose providers have all left is not possible.
    visits: visits.filter(({ providers }) => providers.length > 0),
  }
}

interface Wanted {
  visitTypeId: string
  providerId?: string | undefined
  from: string
  days: number
}

const share = shareWork<Awaited<ReturnType<typeof readOpenings>>>()

/**
 * The times of some days at which patients may book a visit, and the next one within its horizon. NO_VISIT: it is not offered. Many patients look at the
 * same month at once, and get one answer.
 */
export const listOpenings = (scope: Scope, wanted: Wanted) =>
  share(scope.env, [wanted.visitTypeId, wanted.providerId, wanted.from, wanted.days].join(' '), () => readOpenings(scope, wanted))

async function readOpenings(scope: Scope, { visitTypeId, providerId, from, days }: Wanted) {
  const type = await readOffer(scope.db, visitTypeId)
  if (!type || (providerId !== undefined && !type.providerIds.includes(providerId))) return refuse('NO_VISIT')
  return openingsForPatients(scope, type, { providerId, from, days })
}
