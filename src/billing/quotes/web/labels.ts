import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import { type Clock, formatDate, formatDay } from '../../../ui/format.ts'
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
  if (shownStatus === 'accepted' && acceptedAt) return `Accepted ${formatDate(acceptedAt, timeZone)}${acceptedBy ? '' : ' in the portal'}`
  if (shownStatus === 'declined' && endedAt) return `Declined ${formatDate(endedAt, timeZone)}`
  if (shownStatus === 'withdrawn' && endedAt) return `Withdrawn ${formatDate(endedAt, timeZone)}`
  if (shownStatus === 'expired') return `Was valid until ${formatDay(validUntil)}`
  return `Valid until ${formatDay(validUntil)}`
}
