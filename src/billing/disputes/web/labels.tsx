import { CircleAlert, CircleCheck, CircleX, Hourglass } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import { needsEvidence } from '../rules.ts'
import type { DisputeData } from './dispute-data.ts'

interface BadgeLook {
  tone: BadgeTone
  icon: ReactNode
  label: string
}

const over: Record<string, BadgeLook> = {
  won: { tone: 'success', icon: <CircleCheck />, label: 'Won' },
  lost: { tone: 'danger', icon: <CircleX />, label: 'Lost' },
  warning_closed: { tone: 'neutral', icon: <CircleCheck />, label: 'Inquiry closed' },
  prevented: { tone: 'success', icon: <CircleCheck />, label: 'Prevented' },
}

export function badgeOf(dispute: Pick<DisputeData, 'status' | 'evidenceAt'>): BadgeLook {
  const found = over[dispute.status]
  if (found) return found
  if (!needsEvidence(dispute)) return { tone: 'info', icon: <Hourglass />, label: 'With the bank' }
  return dispute.evidenceAt
    ? { tone: 'info', icon: <Hourglass />, label: 'Being sent' }
    : { tone: 'warning', icon: <CircleAlert />, label: 'Needs evidence' }
}

const reasons: Record<string, string> = {
  bank_cannot_process: 'The bank can’t process it',
  credit_not_processed: 'A refund was not received',
  customer_initiated: 'The cardholder disputes it',
  debit_not_authorized: 'Not authorized',
  duplicate: 'Charged twice',
  fraudulent: 'The cardholder says that they did not make this payment',
  general: 'No reason given',
  incorrect_account_details: 'Wrong account details',
  insufficient_funds: 'Insufficient funds',
  product_not_received: 'The service was not received',
  product_unacceptable: 'The service was not as described',
  subscription_canceled: 'It was cancelled before',
  unrecognized: 'The cardholder does not recognize it',
}

/** The bank's reason. */
export const formatReason = (reason: string): string => reasons[reason] ?? reason.replaceAll('_', ' ')

const visitLabels: Record<string, string> = {
  booked: 'Booked',
  confirmed: 'Confirmed by the patient',
  arrived: 'Attended',
  completed: 'Attended',
  no_show: 'Missed',
  cancelled: 'Cancelled',
}
export const formatVisit = (status: string): string => visitLabels[status] ?? status

const channelLabels: Record<string, string> = { email: 'Email', sms: 'Text', portal: 'Portal message', call: 'Call' }
export const formatChannel = (channel: string): string => channelLabels[channel] ?? channel
