import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, History, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { client, messageOf } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { today } from '../../../ui/format.ts'
import { useKey } from '../../../ui/hooks/useKey.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { useForgetNote } from './useNotes.ts'
import { noteMessages } from '../contract.ts'
import { type Answer, isEmptyNote, noteLimits } from '../rules.ts'
import { type NoteData, withAnswers } from './note-data.ts'
import { endNoteDraft, useNoteDraft } from './note-drafts.ts'
import { NoteConflict } from './NoteConflict.tsx'
import { blank, countBlanks } from '../prefill-rules.ts'
import { NoteSaveState } from './NoteSaveState.tsx'
import { SectionField } from './SectionField.tsx'
import { NoteIdentity, SignDialog } from './SignDialog.tsx'

const RevisionsDrawer = lazyDialog(
  () => import('./RevisionsDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** The author's editor of a draft, which saves while they write. */
export function NoteEditor({ note, head }: { note: NoteData; head: ReactNode }) {
  const clock = useClock()
  const maySign = usePermission()('notes.sign')
  const { draft, view } = useNoteDraft(note)
  const form = useRef<HTMLFormElement>(null)
  const [open, setOpen] = useState<'sign' | 'discard' | 'revisions' | null>(null)
  const [isFilling, setFilling] = useState(false)
  const { words, refusal } = view
  // Until it is decided whose text counts, nothing is saved or signed.
  const isStopped = refusal?.kind === 'conflict' || refusal?.kind === 'gone'
  const sections = withAnswers(note.sections, words.answers)

  function change(id: string, answer: Answer) {
    draft.change({ answers: { ...draft.view().words.answers, [id]: answer } })
  }
  async function sign() {
    if (isStopped) return
    if (isEmptyNote(sections)) return void toast.error(noteMessages.empty)
    if (!draft.isSaved && !(await draft.save())) return
    setOpen('sign')
  }
  // Writing comes next. On a touch screen a focused field would open the keyboard.
  useEffect(() => {
    if (!matchMedia('(pointer: coarse)').matches) focusFirstBlank(form.current)
  }, [])
  // Once the dialog has given the focus back.
  useEffect(() => {
    if (!isFilling) return
    const timer = setTimeout(() => {
      setFilling(false)
      focusFirstBlank(form.current)
    })
    return () => clearTimeout(timer)
  }, [isFilling])
  useKey('mod+s', 'Save note', () => void draft.save())
  useKey('mod+enter', 'Sign note', () => void (maySign && sign()))

  return (
    <form
      ref={form}
      noValidate
      aria-label="Clinical note"
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-5 md:px-6">
        <div className="flex max-w-(--measure) flex-col gap-5">
          {head}
          <NoteConflict note={note} draft={draft} view={view} />
          <div className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_11rem]">
            <Field label="Title" error={words.title.trim() === '' ? noteMessages.title : undefined}>
              <Input
                value={words.title}
                maxLength={noteLimits.title}
                autoComplete="off"
                onChange={({ target }) => draft.change({ title: target.value })}
              />
            </Field>
            <Field label="Date">
              <DateInput
                value={words.occurredOn}
                max={today(clock)}
                onValueChange={(occurredOn) => occurredOn !== '' && draft.change({ occurredOn })}
              />
            </Field>
          </div>
          {sections.map((section) => (
            <SectionField key={section.id} section={section} onChange={(answer) => change(section.id, answer)} />
          ))}
        </div>
      </div>
      <footer className="flex flex-none flex-wrap items-center gap-2 border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
        <NoteSaveState view={view} />
        <DropdownMenu trigger={<IconButton label="More actions" icon={<Ellipsis />} variant="outlined" size="lg" />}>
          <MenuItem icon={<History />} onSelect={() => setOpen('revisions')}>
            Earlier versions
          </MenuItem>
          <MenuItem icon={<Trash2 />} danger onSelect={() => setOpen('discard')}>
            Discard draft
          </MenuItem>
        </DropdownMenu>
        {maySign ? (
          <Button variant="filled" size="lg" disabled={isStopped} onClick={() => void sign()}>
            Sign note
          </Button>
        ) : (
          <p className="text-sm text-fg-2">A provider has to sign it.</p>
        )}
      </footer>
      {open === 'sign' && (
        <SignDialog
          note={{ ...note, ...words }}
          version={view.version}
          blanks={countBlanks(sections)}
          onFill={() => {
            setOpen(null)
            setFilling(true)
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'discard' && <DiscardDialog note={{ ...note, ...words }} onClose={() => setOpen(null)} />}
      {open === 'revisions' && <RevisionsDrawer note={{ ...note, ...words, sections }} onClose={() => setOpen(null)} />}
    </form>
  )
}

/** Selects the first place that the template left open, so that typing fills it in; without one, focuses the first section. */
function focusFirstBlank(form: HTMLFormElement | null) {
  const fields = [...(form?.querySelectorAll('textarea') ?? [])]
  const open = fields.find(({ value }) => value.includes(blank))
  const field = open ?? fields[0]
  field?.focus({ preventScroll: open === undefined })
  if (!open) return
  const start = open.value.indexOf(blank)
  open.setSelectionRange(start, start + blank.length)
}

function DiscardDialog({ note, onClose }: { note: NoteData; onClose: () => void }) {
  const forget = useForgetNote()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  async function discard() {
    setBusy(true)
    try {
      await client.notes.discard({ id: note.id })
      endNoteDraft(note.id)
      forget(note.id)
      toast.success('Draft discarded')
      void navigate({ to: '/contacts/$id', params: { id: note.contactId }, search: { tab: 'chart' }, replace: true })
    } catch (error) {
      setBusy(false)
      onClose()
      toast.error('The draft was not discarded', messageOf(error))
    }
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Discard this draft?"
      action={{ label: 'Discard draft', busyLabel: 'Discarding…', isDanger: true }}
      isBusy={isBusy}
      onConfirm={() => void discard()}
    >
      <NoteIdentity note={note} />
      Its text and earlier versions are deleted permanently.
    </ConfirmDialog>
  )
}
