import { NotebookPen } from 'lucide-react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { type Clock, formatDateTime, formatDue } from '../../../../ui/format.ts'
import type { NoteData } from '../inbox-data.ts'

/** An internal note, styled differently from an email. */
export function NoteItem({ note, people, clock }: { note: NoteData; people: readonly Person[]; clock: Clock }) {
  const author = people.find(({ id }) => id === note.createdBy)?.fullName ?? 'Former staff'
  return (
    <li className="rounded-md border border-dashed border-warning-line bg-warning-soft px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2 pb-1 text-xs text-fg-2">
        <span className="flex items-center gap-1.5 font-semibold text-warning-fg [&_svg]:size-3.5">
          <NotebookPen aria-hidden="true" />
          Internal note
        </span>
        {author}
        <span className="ml-auto tabular-nums" title={formatDateTime(note.createdAt, clock)}>
          {formatDue(note.createdAt, clock)}
        </span>
      </p>
      <p className="text-sm break-words whitespace-pre-wrap text-fg">{note.text}</p>
    </li>
  )
}
