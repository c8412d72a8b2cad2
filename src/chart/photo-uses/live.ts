import { and, isNull, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { consentForms } from '../consent-forms/table.ts'
import { photos } from '../photos/table.ts'
import { photoConsents, photoLinks, photoUses } from './table.ts'

export const todayOf = ({ env, now }: Pick<Scope, 'env' | 'now'>): string => dayAt(now(), env.PRACTICE_TIME_ZONE)

/**
 * Whether a use shows its photo now, for queries that join both: it has not ended, the photo is in the chart, and its consent still allows it. That
 * consent and the link have to be of the same patient, because the undo of a merge parts them.
 */
export const isLive = (scope: Pick<Scope, 'env' | 'now'>): SQL =>
  and(
    isNull(photoUses.endedAt),
    isNull(photos.deletedAt),
    sql`(exists (select from ${consentForms} where ${consentForms.id} = ${photoUses.consentFormId} and ${consentForms.contactId} = ${photos.contactId}
        and ${consentForms.status} = 'signed' and ${photoUses.formScope} = any(${consentForms.scopes})
        and not ${photoUses.formScope} = any(${consentForms.withdrawnScopes}))
      or exists (select from ${photoConsents} where ${photoConsents.id} = ${photoUses.photoConsentId} and ${photoConsents.contactId} = ${photos.contactId}
        and ${photoConsents.withdrawnOn} is null and coalesce(${photoConsents.expiresOn} >= ${todayOf(scope)}, true)))`,
    sql`(${photoUses.linkId} is null or exists (select from ${photoLinks} where ${photoLinks.id} = ${photoUses.linkId}
      and ${photoLinks.contactId} = ${photos.contactId} and ${photoLinks.endedAt} is null and ${photoLinks.expiresAt} > ${scope.now()}))`,
  )!
