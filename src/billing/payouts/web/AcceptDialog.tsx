import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { formatMoney } from '../../../ui/format.ts'
import { postingOf } from '../rules.ts'
import { formatDifference, formatPayer } from './labels.tsx'
import type { PayoutDetails } from './payout-data.ts'

/** Asks for the reason why differences are accepted. */
export default function AcceptDialog({ payout, onClose }: { payout: PayoutDetails; onClose: () => void }) {
  const cache = useQueryClient()
  const posting = postingOf(payout)
  const asTheBankShows = `posted to QuickBooks as the bank shows it: ${formatMoney(payout.amountCents)}. What differs stays in the clearing account. This can’t be undone.`
  const form = useActionForm({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? 'Say why the differences are acceptable' : undefined }),
    send: ({ reason }) => client.payouts.accept({ id: payout.id, reason, reconciledAt: payout.reconciledAt! }),
    done: 'Differences accepted',
    onDone: onClose,
    onRefused: () => void cache.invalidateQueries({ queryKey: orpc.payouts.key() }),
  })
  return (
    <ActionDialog
      title="Accept these differences?"
      description={
        posting === 'never'
          ? 'The payout is no longer listed with differences. Nothing is posted to QuickBooks. This can’t be undone.'
          : posting === 'now'
            ? `The payout is ${asTheBankShows}`
            : `Once the payout has reached the bank, it is ${asTheBankShows}`
      }
      form={form}
      action={{ label: posting === 'now' ? 'Accept and post' : 'Accept differences', busyLabel: 'Accepting…' }}
      onClose={onClose}
    >
      <ul className="list-disc pl-4 text-sm marker:text-fg-3">
        {payout.differences.map((difference) => (
          <li key={`${difference.kind} ${difference.transactionId}`}>
            {[formatDifference(difference), formatPayer(difference)].filter(Boolean).join('. ')}
          </li>
        ))}
      </ul>
      <Field label="Reason" hint="Kept in the audit log with your name." error={form.problems.reason}>
        <Textarea {...form.text('reason')} maxLength={500} />
      </Field>
    </ActionDialog>
  )
}
