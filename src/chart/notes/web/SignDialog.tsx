import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PatientIdentity } from '../../../crm/contacts/web/embed/PatientIdentity.tsx'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { formatDay } from '../../../ui/format.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { AllergyBanner } from '../../health/web/embed/AllergyBanner.tsx'
import type { NoteData } from './note-data.ts'
import { endNoteDraft } from './note-drafts.ts'
import { useShowNote } from './useNotes.ts'

/** Which note of which patient is about to be signed or discarded. */
export function NoteIdentity({ note }: { note: Pick<NoteData, 'title' | 'occurredOn' | 'contactId'> }) {
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id: note.contactId } }))
  return (
    <p className="pb-3 text-sm">
      <strong className="block font-semibold wrap-anywhere text-fg">
        {note.title}, {formatDay(note.occurredOn)}
      </strong>
      {contact.data && <PatientIdentity patient={contact.data} />}
    </p>
  )
}

interface SignDialogProps {
  note: NoteData
  /** What the provider has read. */
  version: number
  /** Places that the template left open, and that no one has filled in. */
  blanks?: number
  /** Closes the dialog at the first of them. */
  onFill?: () => void
  onClose: () => void
}

/** Confirms a signature, and says what it does. */
export function SignDialog({ note, version, blanks = 0, onFill, onClose }: SignDialogProps) {
  const { user } = useSession()
  const show = useShowNote()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function sign() {
    setBusy(true)
    setProblem(null)
    try {
      const signed = await client.notes.sign({ id: note.id, version })
      endNoteDraft(note.id)
      show(signed)
      toast.success('Note signed')
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <ConfirmDialog
      onClose={onClose}
      title="Sign this note?"
      action={{ label: 'Sign note', busyLabel: 'Signing…' }}
      isBusy={isBusy}
      onConfirm={() => void sign()}
    >
      <NoteIdentity note={note} />
      <AllergyBanner contactId={note.contactId} isInset />
      <p className="mt-3">
        You sign as {user?.fullName}, with the date and time.
        {note.needsCosign && ` ${note.authorName} wrote it; you confirm that you have read it.`} A signed note can’t be changed or deleted.
        Anything you add later is an addendum.
      </p>
      {blanks > 0 && (
        <Alert
          tone="warning"
          title={blanks === 1 ? 'One blank (___) is not filled in.' : `${blanks} blanks (___) are not filled in.`}
          className="mt-3"
          action={
            onFill && (
              <Button size="sm" onClick={onFill}>
                Go to the first
              </Button>
            )
          }
        >
          Fill them in first, or delete them.
        </Alert>
      )}
      {problem && (
        <Alert tone="danger" title="Not signed." className="mt-3">
          {problem}
        </Alert>
      )}
    </ConfirmDialog>
  )
}
