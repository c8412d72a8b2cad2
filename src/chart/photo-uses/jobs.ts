import { and, eq, isNull, lt } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { todayOf } from './live.ts'
import { photoConsents, photoUses } from './table.ts'
import { endUses } from './uses.ts'

/**
 * Ends what consents allowed whose last day is over, as a withdrawal does: what is elsewhere, such as on social media, becomes a task. Each use ends once,
 * with its task in the same transaction.
 */
export const endExpiredUses = defineJob({
  name: 'photo-uses.end-expired',
  payload: z.object({}),
  cron: '47 9 * * *',
  async run(scope) {
    const expired = await scope.db
      .selectDistinct({ id: photoConsents.id })
      .from(photoConsents)
      .innerJoin(photoUses, and(eq(photoUses.photoConsentId, photoConsents.id), isNull(photoUses.endedAt)))
      .where(lt(photoConsents.expiresOn, todayOf(scope)))
    for (const { id } of expired) await endExpired(scope, id)
  },
})

const endExpired = (scope: Scope, id: string): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const [consent] = await tx
      .select({ contactId: photoConsents.contactId })
      .from(photoConsents)
      .where(eq(photoConsents.id, id))
      .for('update')
    if (consent) await endUses(tx, scope, consent.contactId, { ofConsent: eq(photoUses.photoConsentId, id), reason: 'expired' })
  })
