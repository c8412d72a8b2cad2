import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dayAt } from '../../../../shared/zoned-time.ts'
import { type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { formatDay, formatMoney } from '../../../../ui/format.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'

type Charge = Awaited<ReturnType<Client['savedCards']['automatic']>>['charges'][number]

/** The patient's consent to automatic payment of instalments, which staff stop when the patient asks for it, and the attempts. Nothing without either. */
export function AutomaticPayments({ contactId }: { contactId: string }) {
  const clock = useClock()
  const may = usePermission()
  const cache = useQueryClient()
  const input = { contactId }
  const { data } = useQuery(orpc.savedCards.automatic.queryOptions({ input, enabled: may('savedCards.automatic') }))
  const [isStopping, setStopping] = useState(false)
  const stop = useMutation(
    orpc.savedCards.stopAutomatic.mutationOptions({
      onSuccess(after) {
        cache.setQueryData(orpc.savedCards.automatic.queryKey({ input }), after)
        setStopping(false)
        toast.success('Automatic payments stopped')
      },
      onError: (error) => toast.error('Automatic payments not stopped', messageOf(error)),
    }),
  )
  if (!data || (data.consent === null && data.charges.length === 0)) return null
  return (
    <section className="border-t border-line pt-4 pb-5">
      <div className="flex items-center justify-between gap-3 pb-1">
        <h3 className="text-title font-semibold">Automatic payments</h3>
        {data.consent && may('savedCards.stopAutomatic') && (
          <Button size="sm" onClick={() => setStopping(true)}>
            Stop…
          </Button>
        )}
      </div>
      {data.consent ? (
        <div className="py-1 text-sm">
          <p className="text-fg">
            Instalments are charged to the saved card. Consent given {formatDay(dayAt(new Date(data.consent.givenAt), clock.timeZone))}.
          </p>
          <details className="text-xs text-fg-3">
            <summary className="cursor-pointer">Exact wording shown to the patient</summary>
            <p className="max-w-[70ch] pt-1">{data.consent.text}</p>
          </details>
        </div>
      ) : (
        <p className="py-1 text-sm text-fg-2">Stopped. Instalments are no longer charged automatically.</p>
      )}
      <ul aria-label="Automatic charges">
        {data.charges.map((charge) => (
          <li key={charge.id} className="flex items-start gap-3 py-2 text-sm">
            <div className="min-w-0 flex-1">
              <p className="font-medium text-fg">
                Instalment due {formatDay(charge.dueOn)} <StatusBadge charge={charge} />
              </p>
              <p className="text-xs text-fg-3">{describe(charge)}</p>
            </div>
            <p className="min-w-24 flex-none text-right text-fg tabular-nums">{formatMoney(charge.chargedCents ?? charge.amountCents)}</p>
          </li>
        ))}
      </ul>
      {isStopping && (
        <ConfirmDialog
          onClose={() => setStopping(false)}
          title="Stop automatic payments?"
          action={{ label: 'Stop automatic payments', busyLabel: 'Stopping…', isDanger: true }}
          isBusy={stop.isPending}
          onConfirm={() => stop.mutate(input)}
        >
          Later instalments are not charged, also those that were announced. The patient can agree to it again with their next payment.
        </ConfirmDialog>
      )}
    </section>
  )
}

const tones = {
  announced: 'neutral',
  charging: 'info',
  processing: 'info',
  paid: 'success',
  declined: 'danger',
  skipped: 'neutral',
} as const
const labels: Record<Charge['status'], string> = {
  announced: 'Announced',
  charging: 'Being charged',
  processing: 'Processing',
  paid: 'Paid',
  declined: 'Declined',
  skipped: 'Not charged',
}

const StatusBadge = ({ charge: { status } }: { charge: Charge }) => <Badge tone={tones[status]}>{labels[status]}</Badge>

function describe({ status, attempt, chargeOn, failureCode }: Charge): string {
  const which = attempt === 1 ? '' : `Attempt ${attempt}. `
  if (status === 'declined') return `${which}Charged ${formatDay(chargeOn)}: ${(failureCode ?? 'declined').replaceAll('_', ' ')}`
  return status === 'announced' ? `${which}Charged from ${formatDay(chargeOn)}` : `${which}${formatDay(chargeOn)}`
}
