import { useNavigate } from '@tanstack/react-router'
import { useReducer, useState } from 'react'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { CompleteStep } from '../payment/CompleteStep.tsx'
import { ConfirmStep } from '../payment/ConfirmStep.tsx'
import { changeSale, emptySale, payloadOf, totalsOfSale } from '../payment/sale.ts'
import { SetupStep } from '../payment/SetupStep.tsx'
import { StepMarks } from '../payment/StepMarks.tsx'
import { useQuickBooksLists } from '../payment/useQuickBooksLists.ts'
import { usePatientCustomer } from '../payment/customer/usePatientCustomer.ts'
import { usePayment } from '../payment/usePayment.ts'
import { WaitingStep } from '../payment/WaitingStep.tsx'
import { closePayment, type PaymentDialogState } from '../../../payments/web/embed/payment-dialog.ts'

/** Spec 2: the payment dialog. Rendered once, in the shell; each opening starts over. */
export default function PaymentDialog({ state }: { state: PaymentDialogState }) {
  return <Payment key={state.opened} contactId={state.contactId} charge={state.charge} />
}

const titles = {
  setup: 'Take Payment',
  confirm: 'Payment Confirmation',
  processing: 'Payment Confirmation',
  waiting: 'Receipt not confirmed',
  complete: 'Sales Receipt Created!',
} as const
const marks = { setup: 0, confirm: 1, processing: 1, waiting: 1, complete: 2 } as const

function Payment({ contactId, charge }: Pick<PaymentDialogState, 'contactId' | 'charge'>) {
  const navigate = useNavigate()
  const quickBooks = useQuickBooksLists()
  const patient = usePatientCustomer(contactId)
  const [sale, change] = useReducer(changeSale, emptySale)
  const payment = usePayment()
  const { step } = payment
  const [isLeaving, setLeaving] = useState(false)
  const [searchAway, setSearchUnavailable] = useState(false)

  const codes = quickBooks.taxCodes.data?.taxCodes ?? []
  const total = totalsOfSale(sale, codes).total
  const accounts = quickBooks.accounts.data?.accounts
  const account = accounts?.length === 1 ? accounts[0]!.Id : (quickBooks.accounts.data?.lastUsedAccount ?? null)
  const own = patient.customer?.email ? patient.customer : null
  // Preselected once: the only or last used account, and the patient's customer.
  const [isGiven, setGiven] = useState({ account: false, customer: false })
  if (account && !isGiven.account) {
    setGiven({ ...isGiven, account: true })
    change({ do: 'set', change: { depositAccountId: account } })
  } else if (own && !isGiven.customer) {
    setGiven({ ...isGiven, customer: true })
    change({ do: 'set', change: { customer: own } })
  }

  const lists = [quickBooks.accounts.data, quickBooks.classes.data, quickBooks.taxCodes.data]
  const isUnavailable = searchAway || lists.some((list) => list?.isUnavailable)
  const readAt = lists.find((list) => list?.readAt)?.readAt ?? null

  function leavePending() {
    if (step.at !== 'waiting') return
    closePayment()
    if (step.open.receiptId) {
      toast.info('Receipt saved as pending', 'It will be recorded in QuickBooks automatically. Until then it is listed under Collections.')
    } else {
      toast.info('We don’t know yet whether the receipt was created', 'Check Collections before you take this payment again.')
    }
  }
  /** × and Esc close one step at a time. */
  function close() {
    if (step.at === 'setup') return sale.cart.length > 0 ? setLeaving(true) : closePayment()
    if (step.at === 'confirm') return payment.back()
    if (step.at === 'waiting') return leavePending()
    if (step.at === 'complete') closePayment()
  }
  function confirm() {
    payment.confirm({ ...payloadOf(sale, codes, crypto.randomUUID()), chargeId: charge?.id ?? null })
  }

  const isMessage = step.at === 'waiting' || step.at === 'complete'
  const patientId = step.at === 'complete' ? (step.made.contactId ?? sale.customer?.refyneContactId ?? null) : null
  return (
    <Dialog
      open
      onOpenChange={close}
      size={isMessage ? 'sm' : 'lg'}
      title={titles[step.at]}
      aside={isMessage ? undefined : <span className="max-md:hidden">Sales receipt in QuickBooks</span>}
      headEnd={<StepMarks current={marks[step.at]} />}
      dismissible={step.at !== 'processing'}
    >
      {step.at === 'setup' && (
        <SetupStep
          sale={sale}
          charge={charge}
          change={change}
          quickBooks={quickBooks}
          codes={codes}
          reasons={step.reasons}
          isBack={step.isBack}
          outage={isUnavailable ? { readAt } : null}
          patient={patient}
          onSearchUnavailable={setSearchUnavailable}
          onCancel={closePayment}
          onConfirm={confirm}
        />
      )}
      {(step.at === 'confirm' || step.at === 'processing') && (
        <ConfirmStep
          sale={sale}
          codes={codes}
          quickBooks={quickBooks}
          busy={step.at === 'processing'}
          onBack={payment.back}
          onCreate={payment.create}
        />
      )}
      {step.at === 'waiting' && (
        <WaitingStep
          open={step.open}
          isUncertain={payment.isUncertain}
          total={total}
          customer={sale.customer?.name ?? ''}
          onTryAgain={payment.tryAgain}
          onLeave={leavePending}
          onCancelReceipt={payment.cancelReceipt}
        />
      )}
      {step.at === 'complete' && (
        <CompleteStep
          made={step.made}
          customer={sale.customer?.name ?? ''}
          total={total}
          goToPatient={patientId === null ? null : () => void navigate({ to: '/contacts/$id', params: { id: patientId } })}
          onClose={closePayment}
        />
      )}
      {isLeaving && (
        <ConfirmDialog
          open
          onOpenChange={() => setLeaving(false)}
          title="Leave without taking the payment?"
          confirmLabel="Discard cart"
          cancelLabel="Keep editing"
          danger
          onConfirm={closePayment}
        >
          Your cart will be discarded. No receipt was created.
        </ConfirmDialog>
      )}
    </Dialog>
  )
}
