import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { CollectStep } from '../payment/CollectStep.tsx'
import { CompleteStep } from '../payment/CompleteStep.tsx'
import { ConfirmStep } from '../payment/ConfirmStep.tsx'
import { payloadOf, prepaidOf } from '../payment/sale.ts'
import { SetupStep } from '../payment/SetupStep.tsx'
import { StepMarks } from '../payment/StepMarks.tsx'
import { type Step, usePayment } from '../payment/usePayment.ts'
import { type SaleEntry, useSaleEntry } from '../payment/useSaleEntry.ts'
import { WaitingStep } from '../payment/WaitingStep.tsx'
import { type ChargeToPay, closePayment, type PaymentDialogState } from '../../../payments/web/embed/payment-dialog.ts'

/** Spec 2: the payment dialog. Rendered once, in the shell; each opening starts over. */
export default function PaymentDialog({ state }: { state: PaymentDialogState }) {
  return <Payment key={state.opened} contactId={state.contactId} charge={state.charge} />
}

const titles = {
  setup: 'Take Payment',
  confirm: 'Payment Confirmation',
  collecting: 'Card Payment',
  processing: 'Payment Confirmation',
  waiting: 'Receipt not confirmed',
  complete: 'Sales Receipt Created!',
} as const
const marks = { setup: 0, confirm: 1, collecting: 1, processing: 1, waiting: 1, complete: 2 } as const

function Payment({ contactId, charge }: Pick<PaymentDialogState, 'contactId' | 'charge'>) {
  const entry = useSaleEntry(contactId)
  const payment = usePayment()
  const { step } = payment
  const [isLeaving, setLeaving] = useState(false)

  /** ×, Esc and the first step's Cancel close one step at a time; a cart is not discarded unasked. */
  function close() {
    if (step.at === 'setup') return entry.sale.cart.length > 0 ? setLeaving(true) : closePayment()
    if (step.at === 'confirm') return payment.back()
    if (step.at === 'waiting') return leavePending(step)
    if (step.at === 'complete') closePayment()
  }

  const isMessage = step.at === 'collecting' || step.at === 'waiting' || step.at === 'complete'
  return (
    <Dialog
      onClose={close}
      size={isMessage ? 'sm' : 'lg'}
      title={titles[step.at]}
      head={{
        aside: isMessage ? undefined : <span className="max-md:hidden">Sales receipt in QuickBooks</span>,
        end: <StepMarks current={marks[step.at]} />,
      }}
      dismissible={step.at !== 'processing' && step.at !== 'collecting'}
    >
      <PaymentStep entry={entry} payment={payment} charge={charge} onClose={close} />
      {isLeaving && (
        <ConfirmDialog
          onClose={() => setLeaving(false)}
          title="Leave without taking the payment?"
          action={{ label: 'Discard cart', isDanger: true }}
          cancelLabel="Keep editing"
          onConfirm={closePayment}
        >
          Your cart will be discarded. No receipt was created.
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

/** Closes the dialog while the receipt is pending or uncertain, and says where it can be found. */
function leavePending({ open }: Extract<Step, { at: 'waiting' }>) {
  closePayment()
  if (open.receiptId) {
    toast.info('Receipt saved as pending', 'It will be recorded in QuickBooks automatically. Until then it is listed under Collections.')
  } else {
    toast.info('We don’t know yet whether the receipt was created', 'Check Collections before you take this payment again.')
  }
}

interface PaymentStepProps {
  entry: SaleEntry
  payment: ReturnType<typeof usePayment>
  charge: ChargeToPay | null
  onClose: () => void
}

function PaymentStep({ entry, payment, charge, onClose }: PaymentStepProps) {
  const navigate = useNavigate()
  const { sale, codes, totals } = entry
  const { step } = payment
  const customer = sale.customer?.name ?? ''

  function confirm() {
    payment.confirm({ ...payloadOf(sale, codes, crypto.randomUUID()), chargeId: charge?.id ?? null })
  }

  const patientId = step.at === 'complete' ? (step.made.contactId ?? sale.customer?.refyneContactId ?? null) : null
  return (
    <>
      {step.at === 'setup' && <SetupStep entry={entry} charge={charge} step={step} onCancel={onClose} onConfirm={confirm} />}
      {(step.at === 'confirm' || step.at === 'processing') && (
        <ConfirmStep
          sale={sale}
          codes={codes}
          quickBooks={entry.quickBooks}
          busy={step.at === 'processing'}
          onBack={payment.back}
          onCreate={payment.create}
        />
      )}
      {step.at === 'collecting' && (
        <CollectStep payload={step.payload} moneyCents={prepaidOf(sale, codes).moneyCents} onPaid={payment.record} onBack={payment.back} />
      )}
      {step.at === 'waiting' && (
        <WaitingStep
          open={step.open}
          isUncertain={payment.isUncertain}
          total={totals.total}
          customer={customer}
          onTryAgain={payment.tryAgain}
          onLeave={() => leavePending(step)}
          onCancelReceipt={payment.cancelReceipt}
        />
      )}
      {step.at === 'complete' && (
        <CompleteStep
          made={step.made}
          customer={customer}
          sale={sale}
          codes={codes}
          goToPatient={patientId === null ? null : () => void navigate({ to: '/contacts/$id', params: { id: patientId } })}
          onClose={onClose}
        />
      )}
    </>
  )
}
