import { useState } from 'react'
import { client, messageOf } from '../../../ui/client/api.ts'
import { useClock, useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { formatTime } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { lazySection } from '../../../ui/lazy-section.tsx'
import { type NoteData, withAnswers } from './note-data.ts'
import type { NoteDraft, NoteDraftView } from './note-drafts.ts'
import { useShowNote } from './useNotes.ts'

const NoteDiff = lazySection(() => import('./NoteDiff.tsx').then((file) => file.NoteDiff))

interface NoteConflictProps {
  note: NoteData
  draft: NoteDraft
  view: NoteDraftView
}

/** What someone else has saved, next to what is written here, and the choice between them. Nothing is lost until one is chosen. */
export function NoteConflict({ note, draft, view: { words, refusal } }: NoteConflictProps) {
  const { timeZone } = useClock()
  const { user } = useSession()
  const show = useShowNote()
  const [isBusy, setBusy] = useState(false)
  if (refusal?.kind === 'gone') {
    return (
      <Alert tone="danger" title="This draft was discarded, or its patient deleted.">
        What is written here is on this page only. Copy what you need.
      </Alert>
    )
  }
  if (refusal?.kind !== 'conflict') return null
  const { theirs } = refusal
  const isMine = theirs.authorId === user?.id
  const isSigned = theirs.status === 'signed'
  // Ends with a period: '2:14 p.m.'
  const at = formatTime(theirs.updatedAt, timeZone)

  function takeTheirs() {
    draft.takeTheirs()
    show(theirs)
  }
  async function keepMine() {
    setBusy(true)
    try {
      if (!isMine) draft.rebase(await client.notes.takeOver({ id: note.id, version: theirs.version }))
      await draft.keepMine()
    } catch (error) {
      toast.error('Your text was not saved', messageOf(error))
    }
    setBusy(false)
  }

  return (
    <div className="flex flex-col gap-3">
      <Alert
        tone="warning"
        title={
          isSigned
            ? `${theirs.signedByName} signed this note.`
            : isMine
              ? 'This note was changed in another window.'
              : `${theirs.authorName} took over this draft.`
        }
        action={
          <span className="flex flex-wrap gap-2">
            <Button size="sm" disabled={isBusy} onClick={takeTheirs}>
              {isSigned ? 'Discard my text' : 'Use the saved text'}
            </Button>
            {!isSigned && (
              <Button size="sm" variant="filled" busy={isBusy} busyLabel="Saving…" onClick={() => void keepMine()}>
                {isMine ? 'Keep my text' : 'Take back and keep my text'}
              </Button>
            )}
          </span>
        }
      >
        {isSigned
          ? 'What you wrote since is below, and not saved. You can copy it into an addendum.'
          : `The other text was saved at ${at} Nothing is saved here until you choose.`}
      </Alert>
      <h2 className="text-sm font-semibold text-fg">From the saved text to yours</h2>
      <NoteDiff
        label="From the saved text to yours"
        before={theirs}
        after={{ title: words.title, occurredOn: words.occurredOn, sections: withAnswers(note.sections, words.answers) }}
      />
    </div>
  )
}
