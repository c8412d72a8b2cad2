import { useState } from 'react'
import type { Person } from '../../platform/auth/people-contract.ts'
import { Alert } from '../../ui/display/Alert.tsx'
import { ActionDialog } from '../../ui/forms/ActionDialog.tsx'
import { Field } from '../../ui/forms/Field.tsx'
import { useActionForm } from '../../ui/forms/useActionForm.ts'
import { Textarea } from '../../ui/controls/Textarea.tsx'
import { documentMessages } from '../contract.ts'
import type { DocumentData } from './document-data.ts'
import type { Outcome } from './useDocumentChange.ts'

const maxReasonLength = 500

interface RejectDialogProps {
  document: DocumentData
  people: readonly Person[]
  /** Resolves with what became of it; the dialog stays unless it was saved. */
  onReject: (document: DocumentData, reason: string) => Promise<Outcome>
  onClose: () => void
}

/** Why a patient's document cannot be used: the patient reads it. */
export default function RejectDialog({ document, people, onReject, onClose }: RejectDialogProps) {
  const [base, setBase] = useState(document)
  const form = useActionForm({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? documentMessages.reason : undefined }),
    send: ({ reason }) => onReject(base, reason.trim()),
    onDone(outcome) {
      if (outcome && 'saved' in outcome) onClose()
      else if (outcome) setBase(outcome.theirs)
    },
  })

  return (
    <ActionDialog
      title="Why is it rejected?"
      description={<span className="wrap-anywhere">{document.name}</span>}
      form={form}
      action={{ label: base.version === document.version ? 'Reject document' : 'Reject all the same', busyLabel: 'Rejecting…' }}
      onClose={onClose}
    >
      {base.version !== document.version && (
        <Alert tone="warning" title={`${nameOf(base, people)} has ${base.reviewState} it in the meantime.`}>
          What you wrote is kept, nothing was changed.
        </Alert>
      )}
      <Field label="Reason" hint="The patient reads this in the portal, and can send another file." error={form.problems.reason}>
        <Textarea {...form.text('reason')} maxLength={maxReasonLength} />
      </Field>
    </ActionDialog>
  )
}

const nameOf = ({ reviewedBy }: DocumentData, people: readonly Person[]): string =>
  people.find(({ id }) => id === reviewedBy)?.fullName ?? 'Someone else'
