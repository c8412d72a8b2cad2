import { formatMoney } from '../../../ui/format.ts'
import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import type { ConsentChannel } from '../../../crm/consent/rules.ts'
import type { CampaignStatus, Decider, Variant } from '../rules.ts'

export const statusLabels: Record<CampaignStatus, { label: string; tone: BadgeTone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  scheduled: { label: 'Scheduled', tone: 'info' },
  sending: { label: 'Sending', tone: 'accent' },
  paused: { label: 'Paused', tone: 'warning' },
  stopped: { label: 'Stopped', tone: 'neutral' },
  done: { label: 'Sent', tone: 'success' },
}

export const channelLabels: Record<ConsentChannel, string> = { email: 'Email', text: 'Text' }
/** A message of a campaign, one and several. */
export const messageWords: Record<ConsentChannel, { one: string; many: string }> = {
  email: { one: 'email', many: 'emails' },
  text: { one: 'text', many: 'texts' },
}

export const deciderLabels: Record<Decider, string> = { clicked: 'Clicks', replied: 'Replies' }
export const variantLabels: Record<Variant, string> = { a: 'A', b: 'B' }

export const formatCount = (count: number): string => count.toLocaleString('en-CA')
/** '1 patient', '1,204 patients' */
export const formatPatients = (count: number): string => `${formatCount(count)} ${count === 1 ? 'patient' : 'patients'}`
/** '13%', '0.4%'; nothing of nothing is no share. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return ''
  const percent = (100 * part) / whole
  return percent > 0 && percent < 1 ? `${percent.toFixed(1)}%` : `${Math.round(percent)}%`
}
/** '$24.10', of hundredths of a cent; to the cent. */
export const formatCost = (cost: number): string => formatMoney(Math.ceil(cost / 100))
