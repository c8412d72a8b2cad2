import { useState } from 'react'
import type { Person } from '../../platform/auth/people-contract.ts'
import { Alert } from '../../ui/display/Alert.tsx'
import { ActionDialog } from '../../ui/forms/ActionDialog.tsx'
import { Field } from '../../ui/forms/Field.tsx'
import { useActionForm } from '../../ui/forms/useActionForm.ts'
import { Textarea } from '../../ui/controls/Textarea.tsx'
import { documentMessages } from '../contract.ts'
import type { DocumentData } from './document-data.ts'
import type { Outcome } from './useDocumentActions.ts'

const maxReasonLength = 500

interface RejectDialogProps {
  document: DocumentData
  people: readonly Person[]
  /** Resolves with the outcome; the dialog stays open unless it was saved. */
  onReject: (document: DocumentData, reason: string) => Promise<Outcome>
  onClose: () => void
}

/** Asks for the reason of a rejection, which the patient can read. */
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
      title="Reject document"
      description={<span className="wrap-anywhere">{document.name}</span>}
      form={form}
      action={{ label: base.version === document.version ? 'Reject document' : 'Reject anyway', busyLabel: 'Rejecting…' }}
      onClose={onClose}
    >
      {base.version !== document.version && (
        <Alert tone="warning" title={`${reviewerName(base, people)} has already ${base.reviewState} this document.`}>
          Your reason is kept, and nothing was changed.
        </Alert>
      )}
      <Field label="Reason" hint="The patient sees this in the portal and can send another file." error={form.problems.reason}>
        <Textarea {...form.text('reason')} maxLength={maxReasonLength} />
      </Field>
    </ActionDialog>
  )
}

const reviewerName = ({ reviewedBy }: DocumentData, people: readonly Person[]): string =>
  people.find(({ id }) => id === reviewedBy)?.fullName ?? 'Someone else'
