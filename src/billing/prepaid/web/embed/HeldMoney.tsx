import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { formatMoney, today } from '../../../../ui/format.ts'
import { hasExpired, prepaidLabels } from '../../rules.ts'
import { type BalanceData, sessionsLabel } from '../labels.ts'

/** What a patient has prepaid. `keeps`: what has to be used or refunded before they can be deleted. `giftCards`: usable by anyone with the code. */
export function useHeldMoney(contactId: string): { isLoading: boolean; keeps: string[]; giftCards: string[] } {
  const may = usePermission()
  const clock = useClock()
  const input = { contactId }
  const prepaid = useQuery(orpc.prepaid.ofContact.queryOptions({ input, enabled: may('prepaid.ofContact') }))
  const account = useQuery(orpc.collections.account.queryOptions({ input, enabled: may('collections.account') }))
  const left = (prepaid.data ?? []).filter((one) => one.balanceCents > 0 && !hasExpired(one, today(clock)))
  const depositCents = (account.data?.deposits ?? []).reduce((sum, { leftCents }) => sum + leftCents, 0)
  return {
    isLoading: prepaid.isLoading || account.isLoading,
    keeps: [
      ...left.filter(({ kind }) => kind !== 'gift-card').map(describe),
      ...(depositCents > 0 ? [`Deposits, ${formatMoney(depositCents)}`] : []),
    ],
    giftCards: left.filter(({ kind }) => kind === 'gift-card').map(describe),
  }
}

/** 'Package of Consultation, 2 sessions, $200.00'. */
function describe({ kind, itemName, sessionsLeft, last4, balanceCents }: BalanceData): string {
  const amount = formatMoney(balanceCents)
  if (kind === 'package') return `Package of ${itemName ?? ''}, ${sessionsLabel(sessionsLeft)}, ${amount}`
  return kind === 'gift-card' ? `Gift card ending in ${last4 ?? ''}, ${amount}` : `${prepaidLabels[kind]}, ${amount}`
}

/** Names what a patient who is to be deleted has prepaid. Nothing without it. */
export function HeldMoneyNotice({ keeps, giftCards, className }: { keeps: string[]; giftCards: string[]; className?: string }) {
  return (
    <>
      {keeps.length > 0 && (
        <Alert tone="warning" className={className} title="The practice holds money of this patient:">
          {keeps.join('; ')}. Use or refund it before you delete the patient.
        </Alert>
      )}
      {giftCards.length > 0 && (
        <Alert tone="info" className={className} title="Gift cards stay valid for anyone with the code:">
          {giftCards.join('; ')}.
        </Alert>
      )}
    </>
  )
}
