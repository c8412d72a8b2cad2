import { CircleCheck, CircleX, Clock, Equal, Hourglass, TriangleAlert, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import { formatMoney } from '../../../ui/format.ts'
import { cardName } from '../../../shared/cards.ts'
import { differenceLabels, type TransactionKind, payoutStateLabels } from '../rules.ts'
import type { DifferenceData, PayoutData } from './payout-data.ts'

interface BadgeLook {
  tone: BadgeTone
  icon: ReactNode
  label: string
}

const badges: Record<PayoutData['state'], Omit<BadgeLook, 'label'>> = {
  reading: { tone: 'neutral', icon: <Clock /> },
  differences: { tone: 'warning', icon: <TriangleAlert /> },
  'in-transit': { tone: 'info', icon: <Hourglass /> },
  matched: { tone: 'info', icon: <Equal /> },
  empty: { tone: 'neutral', icon: <CircleCheck /> },
  posted: { tone: 'success', icon: <CircleCheck /> },
  unequal: { tone: 'danger', icon: <TriangleAlert /> },
  accepted: { tone: 'neutral', icon: <CircleCheck /> },
  returned: { tone: 'danger', icon: <Undo2 /> },
}

/** The state of a payout; a refusal of QuickBooks comes before the rest. */
export function badgeOf({ state, differences, deposit, postingProblem }: PayoutData): BadgeLook {
  if (state === 'matched' && deposit?.state === 'failed') return { tone: 'danger', icon: <CircleX />, label: 'Refused' }
  if (state === 'matched' && postingProblem && !deposit) return { tone: 'warning', icon: <TriangleAlert />, label: 'Not posted' }
  const label = state === 'differences' ? formatDifferenceCount(differences.length) : payoutStateLabels[state]
  return { ...badges[state], label }
}

export const formatDifferenceCount = (count: number): string => (count === 1 ? '1 difference' : `${count} differences`)

export const transactionLabels: Record<TransactionKind, string> = {
  charge: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  fee: 'Fee',
  return: 'Returned payout',
  other: 'Other transaction',
}

/** 'Avery Chen, Visa ending in 4242': whose payment differs, as far as it is known here. Null: it is not. */
export const formatPayer = ({ contact, card }: DifferenceData): string | null =>
  [contact && `${contact.firstName} ${contact.lastName}`.trim(), card && cardName(card)].filter(Boolean).join(', ') || null

/** What differs and by how much: 'Amount differs from our record: $400.01 instead of $400.00'. */
export function formatDifference({ kind, expectedCents, actualCents }: DifferenceData): string {
  const label = differenceLabels[kind]
  if (actualCents === null) return label
  if (expectedCents === null) return kind === 'missing-fee' ? label : `${label}: ${formatMoney(actualCents)}`
  return `${label}: ${formatMoney(actualCents)} instead of ${formatMoney(expectedCents)}`
}
