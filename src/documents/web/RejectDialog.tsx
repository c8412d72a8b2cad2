import { useState } from 'react'
import type { Person } from '../../platform/auth/people-contract.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
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
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const missing = asked && reason.trim() === ''

  async function send() {
    setAsked(true)
    if (reason.trim() === '' || busy) return
    setBusy(true)
    const outcome = await onReject(base, reason.trim())
    setBusy(false)
    if (outcome && 'saved' in outcome) onClose()
    else if (outcome) setBase(outcome.theirs)
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Why is it rejected?"
      description={<span className="wrap-anywhere">{document.name}</span>}
      dismissible={!busy}
    >
      <form
        className={dialogForm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void send()
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {base.version !== document.version && (
            <Alert tone="warning" title={`${nameOf(base, people)} has ${base.reviewState} it in the meantime.`}>
              What you wrote is kept, nothing was changed.
            </Alert>
          )}
          <Field
            label="Reason"
            hint="The patient reads this in the portal, and can send another file."
            error={missing ? documentMessages.reason : undefined}
          >
            <Textarea value={reason} maxLength={maxReasonLength} onChange={(event) => setReason(event.target.value)} />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={busy} busyLabel="Rejecting…">
            {base.version === document.version ? 'Reject document' : 'Reject all the same'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

const nameOf = ({ reviewedBy }: DocumentData, people: readonly Person[]): string =>
  people.find(({ id }) => id === reviewedBy)?.fullName ?? 'Someone else'
