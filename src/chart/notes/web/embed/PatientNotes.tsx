import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { FileLock2, Pencil, Plus } from 'lucide-react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { rowsOf } from '../../../../ui/client/usePages.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Asked } from '../../../../ui/display/Section.tsx'
import { type Clock, formatAgoInSentence, formatDay, formatDue } from '../../../../ui/format.ts'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { formatNoteStatus, kindBeside, type NoteLine } from '../note-data.ts'
import { usePatientNotes, useShowNote } from '../useNotes.ts'

/** A patient's clinical notes, newest first, for those who may see them. */
export function PatientNotes({ contactId }: { contactId: string }) {
  return usePermission()('notes.ofContact') ? <Notes contactId={contactId} /> : null
}

function Notes({ contactId }: { contactId: string }) {
  const { list: notes, older } = usePatientNotes(contactId)
  const counts = notes.data?.pages[0]?.counts
  return (
    <section aria-labelledby="clinical-notes" className="max-md:pt-5">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line pb-2">
        <h2 id="clinical-notes" className="flex items-baseline gap-2 text-md font-semibold text-fg">
          Notes
          {counts && <span className="text-sm font-regular text-fg-2 tabular-nums">{formatCounts(counts)}</span>}
        </h2>
        <NewNote contactId={contactId} />
      </div>
      <Asked query={notes} failed="Couldn’t load the notes">
        {(data) =>
          rowsOf(data).length === 0 ? (
            <p className="py-4 text-sm text-fg-2">No notes yet. Start one from a template with New note.</p>
          ) : (
            <ul aria-label="Notes">
              {rowsOf(data).map((note) => (
                <NoteRow key={note.id} note={note} />
              ))}
            </ul>
          )
        }
      </Asked>
      {notes.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 py-3">
          {notes.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load older notes.</p>}
          <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
            Show older
          </Button>
        </div>
      )}
    </section>
  )
}

/** '5 signed, 1 draft' */
function formatCounts({ signed, draft }: { signed: number; draft: number }): string {
  return [signed > 0 && `${signed} signed`, draft > 0 && `${draft} ${draft === 1 ? 'draft' : 'drafts'}`]
    .filter((part) => part !== false)
    .join(', ')
}

function NewNote({ contactId }: { contactId: string }) {
  const navigate = useNavigate()
  const show = useShowNote()
  const templates = useQuery(orpc.notes.templates.queryOptions())
  const create = useMutation(orpc.notes.create.mutationOptions())
  const active = templates.data?.filter(({ isActive }) => isActive) ?? []

  async function start(templateId: string) {
    try {
      const note = await create.mutateAsync({ contactId, templateId })
      show(note)
      void navigate({ to: '/contacts/$id/notes/$noteId', params: { id: contactId, noteId: note.id } })
    } catch (error) {
      toast.error('The note was not started', messageOf(error))
    }
  }

  return (
    <DropdownMenu
      trigger={
        <Button variant="filled" icon={<Plus />} busy={create.isPending} busyLabel="Starting…">
          New note
        </Button>
      }
    >
      {active.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => void start(id)}>
          {name}
        </MenuItem>
      ))}
      {active.length === 0 && (
        <MenuItem disabled>
          {templates.error ? 'Couldn’t load the templates' : templates.data ? 'No active templates' : 'Loading…'}
        </MenuItem>
      )}
    </DropdownMenu>
  )
}

function NoteRow({ note }: { note: NoteLine }) {
  const clock = useClock()
  const { label, tone } = formatNoteStatus(note)
  const isSigned = note.status === 'signed'
  const author = note.signedByName ?? note.authorName
  return (
    <li className="border-b border-line">
      <Link
        to="/contacts/$id/notes/$noteId"
        params={{ id: note.contactId, noteId: note.id }}
        className="-mx-2 grid min-h-12 grid-cols-[1.5rem_minmax(0,1fr)] items-center gap-x-3 rounded-sm px-2 py-2 text-sm outline-offset-[-2px] hover:bg-hover md:grid-cols-[1.5rem_minmax(0,1fr)_11rem_9rem]"
      >
        <span aria-hidden="true" className="text-fg-2">
          {isSigned ? <FileLock2 /> : <Pencil />}
        </span>
        <span className="min-w-0">
          <span className="flex min-w-0 items-center gap-2">
            <span className="truncate text-md font-medium text-fg">{note.title}</span>
            <Badge tone={tone}>{label}</Badge>
          </span>
          <span className="block truncate text-xs text-fg-3">
            {describeNote(note, clock)}
            <span className="md:hidden"> · {author}</span>
          </span>
        </span>
        <span className="truncate text-fg-2 max-md:hidden">{author}</span>
        <span className="truncate text-right text-fg-2 tabular-nums max-md:hidden">
          {formatDue(note.signedAt ?? note.updatedAt, clock)}
        </span>
      </Link>
    </li>
  )
}

/** The second line: 'Autosaved 2 min ago', or 'Nov 19, 2026 · Consultation · 1 addendum'. */
function describeNote(note: NoteLine, clock: Clock): string {
  const { status, updatedAt, occurredOn, addendumCount } = note
  if (status === 'draft') return `Autosaved ${formatAgoInSentence(updatedAt, clock)}`
  const addenda = addendumCount > 0 && `${addendumCount} ${addendumCount === 1 ? 'addendum' : 'addenda'}`
  return [formatDay(occurredOn), kindBeside(note), addenda].filter(Boolean).join(' · ')
}
