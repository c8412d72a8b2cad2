import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { Badge, type BadgeTone } from '../../../../ui/display/Badge.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { dayAt } from '../../../../shared/zoned-time.ts'
import { formatDay, formatMoney } from '../../../../ui/format.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { cardName } from '../../../../shared/cards.ts'
import { shownExpiry } from '../../../cards/rules.ts'
import type { FeeKind, FeeState } from '../../rules.ts'
import { describeCharge, describeDeposit, describeWaiver } from '../labels.ts'

const kindNames: Record<FeeKind, string> = { late_cancel: 'Late cancellation fee', no_show: 'No-show fee' }
const states: Record<FeeState, { label: string; tone: BadgeTone }> = {
  charging: { label: 'Charging…', tone: 'info' },
  settled: { label: 'Paid', tone: 'success' },
  refused: { label: 'Card refused', tone: 'danger' },
  waived: { label: 'Waived', tone: 'neutral' },
}

/** The deposit, the terms and the fee of a visit that a patient booked with terms. Nothing for any other visit. */
export function VisitMoneyCard({ appointmentId: id, status }: { appointmentId: string; status: string }) {
  const clock = useClock()
  const may = usePermission()
  const cache = useQueryClient()
  const [dialog, setDialog] = useState<'charge' | 'waive' | null>(null)
  /** One for each dialog, so that a second click charges once. */
  const [key, setKey] = useState('')
  const maySee = may('visitFees.ofAppointment')
  const asked = orpc.visitFees.ofAppointment.queryOptions({ input: { id }, enabled: maySee })
  const found = useQuery({
    ...asked,
    refetchInterval: ({ state }) => (state.data?.fee?.state === 'charging' ? 1_500 : false),
  })
  const { refetch } = found
  // A visit that was missed or cancelled may cost something.
  useEffect(() => {
    if (maySee) void refetch()
  }, [status, maySee, refetch])
  const charge = useMutation(
    orpc.visitFees.charge.mutationOptions({
      onSuccess(after) {
        cache.setQueryData(asked.queryKey, after)
        setDialog(null)
        // To undo the cancellation would leave the fee.
        toast.endUndo()
      },
      onError: (error) => toast.error('Fee not charged', messageOf(error)),
    }),
  )
  /** A second click may come before the button shows that it is busy. */
  const isCharging = useRef(false)
  const shown = found.data
  const feeState = shown?.fee?.state
  const stateBefore = useRef(feeState)
  useEffect(() => {
    if (stateBefore.current === 'charging' && feeState === 'settled') toast.success('Fee charged')
    if (stateBefore.current === 'charging' && feeState === 'refused') toast.error('Card refused', 'Billing has a task to collect the fee.')
    stateBefore.current = feeState
  }, [feeState])
  if (found.isError) return <p className="text-sm text-fg-3">The deposit and the fees could not be loaded.</p>
  if (!shown) return null
  const { terms, deposit, depositCard, card, due, fee } = shown
  const open = due ?? (fee?.state === 'refused' ? { kind: fee.kind, amountCents: fee.openCents } : null)
  const heldCents = deposit === 'paid' ? terms.depositCents : 0
  const takenCents = fee?.fromDepositCents ?? 0
  const mayDecide = open !== null && may('visitFees.charge')
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-4">
      <h3 className="text-sm font-semibold text-fg">Deposit and fees</h3>
      <Facts>
        {deposit !== 'none' && (
          <Fact label="Deposit">
            <span className="tabular-nums">{formatMoney(terms.depositCents)}</span> ·{' '}
            {describeDeposit(deposit, { cents: terms.depositCents, usedCents: takenCents, card: depositCard })}
          </Fact>
        )}
        <Fact label="Saved card">{card ? `${cardName(card)}, expires ${shownExpiry(card)}` : 'None'}</Fact>
        {fee && (
          <Fact label={kindNames[fee.kind]}>
            <span className="flex flex-wrap items-center gap-2">
              <span className="tabular-nums">{formatMoney(fee.amountCents)}</span>
              <Badge tone={states[fee.state].tone}>
                {fee.openCents === 0 && fee.state === 'refused' ? 'Written off' : states[fee.state].label}
              </Badge>
            </span>
            {fee.failureCode !== null && fee.openCents > 0 && (
              <span className="block text-xs text-fg-3">
                {fee.failureCode === 'no_card' ? 'There is no saved card.' : `Reason: ${fee.failureCode.replaceAll('_', ' ')}.`}{' '}
                {formatMoney(fee.openCents)} is open on the account.
              </span>
            )}
            {fee.isEarlier && (
              <span className="block text-xs text-fg-3">
                Charged before the visit was booked again. Cancelling or missing it costs nothing more.
              </span>
            )}
            {fee.reason !== null && <span className="block text-xs text-fg-3">{fee.reason}</span>}
          </Fact>
        )}
        {due && (
          <Fact label={kindNames[due.kind]}>
            <span className="flex flex-wrap items-center gap-2">
              <span className="tabular-nums">{formatMoney(due.amountCents)}</span>
              <Badge tone="warning">To decide</Badge>
            </span>
          </Fact>
        )}
      </Facts>
      <details className="text-xs text-fg-3">
        <summary className="cursor-pointer">Terms accepted on {formatDay(dayAt(new Date(terms.acceptedAt), clock.timeZone))}</summary>
        <p className="max-w-[70ch] pt-1 whitespace-pre-line">{terms.text}</p>
      </details>
      {mayDecide && open.amountCents > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="filled"
            onClick={() => {
              setKey(crypto.randomUUID())
              setDialog('charge')
            }}
          >
            {due ? 'Charge fee' : 'Try the card again'}
          </Button>
          <Button onClick={() => setDialog('waive')}>Waive fee</Button>
        </div>
      )}
      {dialog === 'charge' && open && (
        <ConfirmDialog
          title={`Charge ${formatMoney(open.amountCents)}?`}
          action={{ label: 'Charge fee', busyLabel: 'Charging…' }}
          isBusy={charge.isPending}
          onConfirm={() => {
            if (isCharging.current) return
            isCharging.current = true
            charge.mutate({ id, idempotencyKey: key }, { onSettled: () => (isCharging.current = false) })
          }}
          onClose={() => setDialog(null)}
        >
          {describeCharge({ feeCents: open.amountCents, depositCents: heldCents, depositCard, card })} The patient agreed to this fee when
          booking.
        </ConfirmDialog>
      )}
      {dialog === 'waive' && (
        <WaiveDialog
          id={id}
          returned={describeWaiver(deposit === 'returned' ? takenCents : heldCents, depositCard)}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  )
}

function WaiveDialog({ id, returned, onClose }: { id: string; returned: string | null; onClose: () => void }) {
  const cache = useQueryClient()
  const form = useActionForm({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? 'Enter a reason' : undefined }),
    send: (given) => client.visitFees.waive({ id, ...given }),
    done: () => 'Fee waived',
    onDone(after) {
      cache.setQueryData(orpc.visitFees.ofAppointment.queryKey({ input: { id } }), after)
      onClose()
    },
  })
  return (
    <ActionDialog title="Waive the fee" form={form} action={{ label: 'Waive fee' }} onClose={onClose}>
      {returned && <p className="text-md text-fg-2">{returned}</p>}
      <Field label="Reason" error={form.problems.reason}>
        <Textarea {...form.text('reason')} rows={2} maxLength={200} />
      </Field>
    </ActionDialog>
  )
}
