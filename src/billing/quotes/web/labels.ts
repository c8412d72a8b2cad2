import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import { type Clock, formatDate, formatDay } from '../../../ui/format.ts'
import { unbroken } from '../../../ui/unbroken.ts'
import { financingLabels, type FinancingStatus } from '../financing-rules.ts'
import type { ShownStatus } from '../rules.ts'
import type { QuoteData } from './quote-data.ts'

export const statusLabels: Record<ShownStatus, string> = {
  draft: 'Draft',
  sent: 'Sent',
  accepted: 'Accepted',
  declined: 'Declined',
  superseded: 'Replaced',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
}

export const statusTones: Record<ShownStatus, BadgeTone> = {
  draft: 'neutral',
  sent: 'info',
  accepted: 'success',
  declined: 'danger',
  superseded: 'neutral',
  withdrawn: 'neutral',
  expired: 'warning',
}

/** The relevant date of a quote: its expiry, or when its status changed. */
export function formatDayLabel({ shownStatus, validUntil, acceptedAt, acceptedBy, endedAt }: QuoteData, { timeZone }: Clock): string {
  const on = (at: string | Date) => unbroken(formatDate(at, timeZone))
  if (shownStatus === 'accepted' && acceptedAt) return `Accepted ${on(acceptedAt)}${acceptedBy ? '' : ' in the portal'}`
  if (shownStatus === 'declined' && endedAt) return `Declined ${on(endedAt)}`
  if (shownStatus === 'withdrawn' && endedAt) return `Withdrawn ${on(endedAt)}`
  if (shownStatus === 'expired') return `Was valid until ${unbroken(formatDay(validUntil))}`
  return `Valid until ${unbroken(formatDay(validUntil))}`
}

export const financingTones: Record<FinancingStatus, BadgeTone> = {
  applied: 'info',
  approved: 'success',
  declined: 'danger',
  paid: 'success',
}

/** 'Medicard: approved'. */
export const financingLabel = ({ provider, status }: NonNullable<QuoteData['financing']>): string =>
  `${provider}: ${financingLabels[status].toLowerCase()}`
