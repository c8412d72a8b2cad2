import { useQuery } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { useClock } from '../../../../ui/client/session.ts'
import { collectionMessages } from '../../account-contract.ts'
import { mailLimits } from '../../contract.ts'
import type { AccountData } from '../account-data.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { useAccountAction } from './useAccountAction.ts'

interface ReminderDialogProps {
  contactId: string
  account: AccountData
  onClose: () => void
}

const title = 'Send payment reminder'

/** Emails a patient what they owe. The message comes from the template, and can be edited before it is sent. */
export function ReminderDialog({ contactId, account, onClose }: ReminderDialogProps) {
  // Not cached: tomorrow's reminder needs tomorrow's balance.
  const proposed = useQuery(orpc.collections.reminder.queryOptions({ input: { contactId }, gcTime: 0, staleTime: Infinity }))
  const { data } = proposed
  if (data && data.addresses.length > 0 && !data.isMarketing) {
    return <ReminderForm contactId={contactId} account={account} proposed={data} onClose={onClose} />
  }
  return (
    <Dialog onClose={onClose} title={title}>
      <DialogBody>
        {data ? (
          <Refusal {...data} />
        ) : proposed.error ? (
          <ErrorState title="Couldn’t load the reminder" onRetry={() => void proposed.refetch()} retrying={proposed.isFetching}>
            {messageOf(proposed.error)}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading" className="flex flex-col gap-4">
            <Skeleton className="h-9" />
            <Skeleton className="h-9" />
            <Skeleton className="h-60" />
          </div>
        )}
      </DialogBody>
      <DialogFooter>
        <Button size="lg" onClick={onClose}>
          {data ? 'Close' : 'Cancel'}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

interface ProposedReminder {
  addresses: string[]
  blocked: { address: string; reason: string }[]
  isMarketing: boolean
  subject: string
  text: string
}

/** Why no reminder can be sent, and what to do instead. */
function Refusal({ blocked, isMarketing }: ProposedReminder) {
  if (isMarketing) {
    return (
      <Alert tone="warning" title="This template can’t be used for reminders">
        {collectionMessages.marketing}
      </Alert>
    )
  }
  if (blocked.length === 0) {
    return (
      <Alert tone="warning" title="No email address">
        {collectionMessages.noEmail}
      </Alert>
    )
  }
  return (
    <Alert tone="warning" title="No address to send to">
      {blocked.map(({ reason }) => reason).join(' ')} Add another address to the patient, or print the statement.
    </Alert>
  )
}

function ReminderForm({ contactId, account, proposed, onClose }: ReminderDialogProps & { proposed: ProposedReminder }) {
  const clock = useClock()
  const last = account.notes.find(({ kind }) => kind === 'reminder')
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial: { email: proposed.addresses[0]!, subject: proposed.subject, text: proposed.text },
      check: ({ subject, text }) => ({
        subject: subject.trim() === '' ? collectionMessages.subject : undefined,
        text: text.trim() === '' ? collectionMessages.text : undefined,
      }),
      send: (email, idempotencyKey) => client.collections.remind({ ...email, contactId, idempotencyKey }),
      done: (_, { email }) => `Reminder sent to ${email}`,
    },
  )
  return (
    <ActionDialog
      title={title}
      description={`The statement of account is attached as a PDF.${last ? ` Last reminder: ${formatDateTime(last.createdAt, clock)}.` : ''}`}
      form={form}
      action={{ label: 'Send reminder', busyLabel: 'Sending…' }}
      onClose={onClose}
    >
      {proposed.blocked.map(({ address, reason }) => (
        <Alert key={address} tone="info">
          {reason}
        </Alert>
      ))}
      <Field label="To" error={form.problems.email}>
        <Select {...form.choice('email')} options={proposed.addresses.map((address) => ({ value: address, label: address }))} />
      </Field>
      <Field label="Subject" error={form.problems.subject}>
        <Input {...form.text('subject')} maxLength={mailLimits.subject} autoComplete="off" />
      </Field>
      <Field label="Message" error={form.problems.text}>
        <Textarea rows={12} {...form.text('text')} maxLength={mailLimits.text} />
      </Field>
    </ActionDialog>
  )
}
