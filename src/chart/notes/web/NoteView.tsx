import { CircleCheck, CirclePlus, Ellipsis, FilePenLine, History, Printer, UserRoundPen } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { client, messageOf } from '../../../ui/client/api.ts'
import { type Clock, formatDateTime, formatDay } from '../../../ui/format.ts'
import { useClock, useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { noteMessages } from '../contract.ts'
import { mayCosign, maySign } from '../policy.ts'
import { answerText, isEmptyNote, noteLimits } from '../rules.ts'
import { kindBeside, type NoteData } from './note-data.ts'
import { NoteIdentity, SignDialog } from './SignDialog.tsx'
import { useShowNote } from './useNotes.ts'

const RevisionsDrawer = lazyDialog(
  () => import('./RevisionsDrawer.tsx'),
  ({ onClose }) => onClose(),
)

type Open = 'sign' | 'takeOver' | 'cosign' | 'addendum' | 'revisions'

/** A signed note with its addenda, or someone else's draft: read only. */
export function NoteView({ note, head }: { note: NoteData; head: ReactNode }) {
  const clock = useClock()
  const { user } = useSession()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const isSigned = note.status === 'signed'
  const lastAddendum = useRef<HTMLElement>(null)
  const addenda = useRef(note.addenda.length)
  useEffect(() => {
    // One that was just added is below what is in sight.
    if (note.addenda.length > addenda.current) lastAddendum.current?.scrollIntoView({ block: 'center' })
    addenda.current = note.addenda.length
  }, [note.addenda.length])
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-y-auto px-4 py-5 outline-offset-[-2px] md:px-6"
      >
        <article className="flex max-w-(--measure) flex-col gap-5">
          {head}
          <header>
            <h1 className="text-xl font-semibold wrap-anywhere text-fg">{note.title}</h1>
            <p className="pt-0.5 text-sm text-fg-2">
              {[kindBeside(note), formatDay(note.occurredOn), note.authorName].filter(Boolean).join(' · ')}
            </p>
          </header>
          <NoteState note={note} clock={clock} />
          {note.sections.map((section) => (
            <section key={section.id} aria-label={section.title}>
              <h2 className="pb-1 text-sm font-semibold text-fg">{section.title}</h2>
              <p className="text-md wrap-anywhere whitespace-pre-wrap text-fg">
                {answerText(section) || <span className="text-fg-3">Not recorded</span>}
              </p>
            </section>
          ))}
          {note.addenda.map(({ id, text, authorName, writtenAt }, index) => (
            <section
              key={id}
              ref={index === note.addenda.length - 1 ? lastAddendum : undefined}
              aria-label="Addendum"
              className="border-l-2 border-line-2 pl-4"
            >
              <h2 className="pb-1 text-sm font-semibold text-fg">
                Addendum{' '}
                <span className="font-regular text-fg-2">
                  by {authorName}, {formatDateTime(writtenAt, clock)}
                </span>
              </h2>
              <p className="text-md wrap-anywhere whitespace-pre-wrap text-fg">{text}</p>
            </section>
          ))}
        </article>
      </div>
      <footer className="flex flex-none flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
        <DropdownMenu trigger={<IconButton label="More actions" icon={<Ellipsis />} variant="outlined" size="lg" />}>
          <MenuItem icon={<History />} onSelect={() => setOpen('revisions')}>
            Earlier versions
          </MenuItem>
        </DropdownMenu>
        {isSigned ? (
          <>
            <Button asChild size="lg" icon={<Printer />}>
              <a href={`/api/notes/${note.id}.pdf`} target="_blank" rel="noreferrer">
                Print PDF
              </a>
            </Button>
            {mayCosign(user, note) && (
              <Button size="lg" icon={<FilePenLine />} onClick={() => setOpen('cosign')}>
                Co-sign note
              </Button>
            )}
            <Button size="lg" variant="filled" icon={<CirclePlus />} className="max-md:flex-1" onClick={() => setOpen('addendum')}>
              Add addendum
            </Button>
          </>
        ) : (
          <>
            <Button size="lg" icon={<UserRoundPen />} onClick={() => setOpen('takeOver')}>
              Take over draft
            </Button>
            {maySign(user, note) && (
              <Button size="lg" variant="filled" disabled={isEmptyNote(note.sections)} onClick={() => setOpen('sign')}>
                Sign note
              </Button>
            )}
          </>
        )}
      </footer>
      {open === 'sign' && <SignDialog note={note} version={note.version} onClose={close} />}
      {open === 'takeOver' && <TakeOverDialog note={note} onClose={close} />}
      {open === 'cosign' && <CosignDialog note={note} onClose={close} />}
      {open === 'addendum' && <AddendumDialog note={note} onClose={close} />}
      {open === 'revisions' && <RevisionsDrawer note={note} onClose={close} />}
    </div>
  )
}

/** Who signed it and whether it is unchanged, or whose draft it is. */
function NoteState({ note, clock }: { note: NoteData; clock: Clock }) {
  if (note.status === 'draft' || note.signedAt === null) {
    return (
      <Alert tone="info" title={`${note.authorName} is writing this note.`}>
        {note.needsCosign ? 'A provider has to sign it.' : 'You can read it, or take over the draft.'}
      </Alert>
    )
  }
  const signatures = (
    <>
      Signed by {note.signedByName}, {formatDateTime(note.signedAt, clock)}
      {note.cosignedAt && `; co-signed by ${note.cosignedByName}, ${formatDateTime(note.cosignedAt, clock)}`}
    </>
  )
  if (note.isIntact === false) {
    return (
      <Alert tone="danger" title="This note was altered after it was signed.">
        Its seal does not match what is stored. Do not rely on it, and tell your administrator. {signatures}
      </Alert>
    )
  }
  return (
    <p className="flex gap-2 text-sm text-fg-2">
      <CircleCheck aria-hidden="true" className="mt-0.5 flex-none text-success-fg" />
      <span>
        <strong className="font-semibold text-fg">Sealed.</strong> {signatures}
      </span>
    </p>
  )
}

interface NoteDialogProps {
  note: NoteData
  onClose: () => void
}

/** A confirmed call that returns the note. */
function useNoteCall({
  call,
  done,
  failed,
  onClose,
}: {
  call: () => Promise<NoteData>
  done: string
  failed: string
  onClose: () => void
}) {
  const show = useShowNote()
  const [isBusy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    try {
      show(await call())
      toast.success(done)
    } catch (error) {
      toast.error(failed, messageOf(error))
    }
    onClose()
  }
  return { isBusy, run: () => void run() }
}

function TakeOverDialog({ note, onClose }: NoteDialogProps) {
  const { isBusy, run } = useNoteCall({
    call: () => client.notes.takeOver({ id: note.id, version: note.version }),
    done: 'You are the author of this draft now',
    failed: 'The draft was not taken over',
    onClose,
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Take over this draft?"
      action={{ label: 'Take over draft', busyLabel: 'Taking over…' }}
      isBusy={isBusy}
      onConfirm={run}
    >
      You become its author. {note.authorName} can read it but no longer edit it. The audit log records this.
    </ConfirmDialog>
  )
}

function CosignDialog({ note, onClose }: NoteDialogProps) {
  const { isBusy, run } = useNoteCall({
    call: () => client.notes.cosign({ id: note.id }),
    done: 'Note co-signed',
    failed: 'The note was not co-signed',
    onClose,
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Co-sign this note?"
      action={{ label: 'Co-sign note', busyLabel: 'Co-signing…' }}
      isBusy={isBusy}
      onConfirm={run}
    >
      <NoteIdentity note={note} />
      You confirm that you have read the note that {note.signedByName} signed. Your name, the date and the time are added to it.
    </ConfirmDialog>
  )
}

function AddendumDialog({ note, onClose }: NoteDialogProps) {
  const show = useShowNote()
  const form = useActionForm({
    initial: { text: '' },
    check: ({ text }) => ({ text: text.trim() === '' ? noteMessages.addendum : undefined }),
    send: ({ text }) => client.notes.addAddendum({ id: note.id, text }),
    done: 'Addendum added',
    onDone(after) {
      show(after)
      onClose()
    },
  })
  return (
    <ActionDialog
      form={form}
      title="Add addendum"
      description="The signed note stays as it is. An addendum can’t be changed or removed."
      size="md"
      action={{ label: 'Add addendum', busyLabel: 'Adding…' }}
      onClose={onClose}
    >
      <Field label="Addendum" error={form.problems.text}>
        <Textarea rows={6} maxLength={noteLimits.addendum} {...form.text('text')} />
      </Field>
    </ActionDialog>
  )
}
