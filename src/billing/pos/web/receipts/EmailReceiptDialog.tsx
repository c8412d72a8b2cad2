import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/EmptyState.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { numberOf } from './ReceiptRow.tsx'
import type { ReceiptDetails } from './receipt-data.ts'

interface EmailReceiptDialogProps {
  receipt: Pick<ReceiptDetails, 'id' | 'kind' | 'docNumber' | 'qbId'>
  onClose: () => void
}

/** Sends a receipt to one of the addresses that it may go to. */
export default function EmailReceiptDialog({ receipt, onClose }: EmailReceiptDialogProps) {
  const choices = useQuery(orpc.pos.receiptAddresses.queryOptions({ input: { id: receipt.id }, staleTime: 0 }))
  const addresses = choices.data?.addresses
  const [chosen, setChosen] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // The same address is sent to once, however often it is tried.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const email = chosen ?? addresses?.[0]?.email ?? null

  async function send() {
    if (isBusy || email === null) return
    setBusy(true)
    setProblem(null)
    try {
      await client.pos.emailReceipt({ id: receipt.id, email, idempotencyKey: key })
      toast.success(`Receipt sent to ${email}`)
      onClose()
    } catch (error) {
      setBusy(false)
      setProblem(
        statusOf(error) === 0
          ? 'The connection was lost. It is safe to try again: the receipt is sent once, never twice.'
          : messageOf(error),
      )
      void choices.refetch()
    }
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Email ${receipt.kind === 'refund' ? 'refund' : 'receipt'} ${numberOf(receipt) ?? ''}`.trim()}
      description="It goes as a PDF, and stands on the patient’s timeline."
      dismissible={!isBusy}
    >
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void send()
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {problem && <Alert tone="danger">{problem}</Alert>}
          {addresses?.length === 0 ? (
            <Alert tone="warning" title="There is no address to send it to">
              Add an email to the patient first, or print the receipt.
            </Alert>
          ) : addresses ? (
            <Field label="To" hint="Only the patient’s own addresses, and the one that QuickBooks has, can be chosen.">
              <Select
                value={email}
                onValueChange={(value) => {
                  setChosen(value)
                  setProblem(null)
                  setKey(crypto.randomUUID())
                }}
                options={addresses.map(({ email, whose }) => ({
                  value: email,
                  label: whose === 'customer' ? `${email} (in QuickBooks)` : email,
                }))}
              />
            </Field>
          ) : choices.error ? (
            <ErrorState title="Couldn’t load the addresses" onRetry={() => void choices.refetch()} retrying={choices.isFetching}>
              {messageOf(choices.error)}
            </ErrorState>
          ) : (
            <div role="status" aria-label="Loading" className="flex flex-col gap-2">
              <Skeleton className="w-1/6" />
              <Skeleton className="h-9" />
            </div>
          )}
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            {addresses?.length === 0 ? 'Close' : 'Cancel'}
          </Button>
          {addresses?.length !== 0 && (
            <Button type="submit" size="lg" variant="filled" busy={isBusy} busyLabel="Sending..." disabled={email === null}>
              Send receipt
            </Button>
          )}
        </DialogFooter>
      </form>
    </Dialog>
  )
}
