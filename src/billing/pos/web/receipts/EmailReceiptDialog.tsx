import { useQuery } from '@tanstack/react-query'
import { client, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
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
  const form = useActionForm({
    initial: { email: null as string | null },
    async send(values, idempotencyKey) {
      const email = values.email ?? addresses?.[0]?.email ?? ''
      await client.pos.emailReceipt({ id: receipt.id, email, idempotencyKey })
      return email
    },
    done: (email) => `Receipt sent to ${email}`,
    onDone: onClose,
    onRefused(error, problems) {
      void choices.refetch()
      const isLost = statusOf(error) === 0
      return isLost ? { form: 'The connection was lost. It is safe to try again: the receipt is sent once, never twice.' } : problems
    },
  })
  const email = form.values.email ?? addresses?.[0]?.email ?? null
  const isNowhere = addresses?.length === 0

  return (
    <ActionDialog
      title={`Email ${receipt.kind === 'refund' ? 'refund' : 'receipt'} ${numberOf(receipt) ?? ''}`.trim()}
      description="It is sent as a PDF and appears on the patient’s timeline."
      form={form}
      action={isNowhere ? null : { label: 'Send receipt', busyLabel: 'Sending...', isUnready: email === null }}
      cancel={isNowhere ? { label: 'Close' } : undefined}
      onClose={onClose}
    >
      {isNowhere ? (
        <Alert tone="warning" title="There is no address to send it to">
          Add an email to the patient first, or print the receipt.
        </Alert>
      ) : addresses ? (
        <Field label="To" hint="Only the patient’s own addresses, and the one that QuickBooks has, can be chosen.">
          <Select
            value={email}
            onValueChange={(next) => form.set({ email: next })}
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
    </ActionDialog>
  )
}
