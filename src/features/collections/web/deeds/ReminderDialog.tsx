import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../web/api.ts'
import { Alert } from '../../../../web/ui/Alert.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../../web/ui/Dialog.tsx'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { Input } from '../../../../web/ui/Input.tsx'
import { Select } from '../../../../web/ui/Select.tsx'
import { Skeleton } from '../../../../web/ui/Skeleton.tsx'
import { Textarea } from '../../../../web/ui/Textarea.tsx'
import { collectionMessages, mailLimits } from '../../contract.ts'
import { wrongs } from './checks.ts'
import { DeedDialog } from '../../../../web/ui/DeedDialog.tsx'
import { useAccountDeed } from './useAccountDeed.ts'

interface ReminderDialogProps {
  contactId: string
  onClose: () => void
}

const title = 'Reminder e-mail'

/** Tells a patient by e-mail what they owe. What it says is proposed, and can be changed. */
export function ReminderDialog({ contactId, onClose }: ReminderDialogProps) {
  // What is proposed for today's balance is not kept for tomorrow's.
  const proposed = useQuery(orpc.collections.reminder.queryOptions({ input: { contactId }, gcTime: 0, staleTime: Infinity }))
  const { data } = proposed
  if (data && data.addresses.length > 0) return <Letter contactId={contactId} proposed={data} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <DialogBody>
        {data ? (
          <Alert tone="warning" title="There is no address to send it to">
            Add an e-mail to the patient first, or print the statement.
          </Alert>
        ) : proposed.error ? (
          <ErrorState title="The reminder did not load" onRetry={() => void proposed.refetch()} retrying={proposed.isFetching}>
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

interface LetterProps extends ReminderDialogProps {
  proposed: { addresses: string[]; subject: string; text: string }
}

function Letter({ contactId, proposed, onClose }: LetterProps) {
  const deed = useAccountDeed(contactId, onClose)
  const [email, setEmail] = useState(proposed.addresses[0]!)
  const [subject, setSubject] = useState(proposed.subject)
  const [text, setText] = useState(proposed.text)
  const wrong = wrongs({
    subject: subject.trim() === '' ? collectionMessages.subject : undefined,
    text: text.trim() === '' ? collectionMessages.text : undefined,
  })
  const problems = deed.problems(wrong)
  return (
    <DeedDialog
      title={title}
      description="The statement of account goes with it as a PDF."
      deed={deed}
      problems={problems}
      label="Send reminder"
      busyLabel="Sending..."
      onClose={onClose}
      onSubmit={() =>
        void deed.send(
          wrong,
          (idempotencyKey) => client.collections.remind({ contactId, email, subject, text, idempotencyKey }),
          `Reminder sent to ${email}`,
        )
      }
    >
      <Field label="To" error={problems.email}>
        <Select
          value={email}
          onValueChange={deed.typed((value: string | null) => value && setEmail(value))}
          options={proposed.addresses.map((address) => ({ value: address, label: address }))}
        />
      </Field>
      <Field label="Subject" error={problems.subject}>
        <Input
          value={subject}
          maxLength={mailLimits.subject}
          autoComplete="off"
          onChange={({ target }) => deed.typed(setSubject)(target.value)}
        />
      </Field>
      <Field label="Text" error={problems.text}>
        <Textarea rows={12} value={text} maxLength={mailLimits.text} onChange={({ target }) => deed.typed(setText)(target.value)} />
      </Field>
    </DeedDialog>
  )
}
