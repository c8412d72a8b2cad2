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

/** Emails a receipt to one of its allowed addresses. */
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
      return isLost ? { form: 'The connection was lost. It’s safe to try again: the receipt won’t be sent twice.' } : problems
    },
  })
  const email = form.values.email ?? addresses?.[0]?.email ?? null
  const hasNoAddress = addresses?.length === 0

  return (
    <ActionDialog
      title={`Email ${receipt.kind === 'refund' ? 'refund' : 'receipt'} ${numberOf(receipt) ?? ''}`.trim()}
      description="It is sent as a PDF and appears on the patient’s timeline."
      form={form}
      action={hasNoAddress ? null : { label: 'Send receipt', busyLabel: 'Sending…', isUnready: email === null }}
      footer={{ cancel: hasNoAddress ? { label: 'Close' } : undefined }}
      onClose={onClose}
    >
      {hasNoAddress ? (
        <Alert tone="warning" title="No email address">
          Add an email to the patient first, or print the receipt.
        </Alert>
      ) : addresses ? (
        <Field label="To" hint="You can choose the patient’s addresses or the one in QuickBooks.">
          <Select
            value={email}
            onValueChange={(next) => form.set({ email: next })}
            options={addresses.map(({ email, owner }) => ({
              value: email,
              label: owner === 'customer' ? `${email} (in QuickBooks)` : email,
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
