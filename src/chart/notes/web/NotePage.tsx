import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { FileX, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { type ContactData, fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import { PatientIdentity } from '../../../crm/contacts/web/embed/PatientIdentity.tsx'
import { messageOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { useSession } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { type Crumb, TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { AllergyBanner } from '../../health/web/embed/AllergyBanner.tsx'
import { mayEdit } from '../policy.ts'
import { formatNoteStatus, type NoteData } from './note-data.ts'
import { hasUnsavedWords } from './note-drafts.ts'
import { NoteEditor } from './NoteEditor.tsx'
import { NoteView } from './NoteView.tsx'
import { useNote } from './useNotes.ts'

/** /contacts/{id}/notes/{noteId}: a clinical note. */
export default function NotePage(): ReactNode {
  const { id, noteId } = useParams({ from: '/staff/contacts/$id/notes/$noteId' })
  if (!usePermission()('notes.get')) {
    return (
      <>
        <TopbarTitle title="Clinical note" />
        <EmptyState icon={<Lock />} title="Your role doesn’t see clinical notes" className="my-auto pb-24">
          Providers and administrators do.
        </EmptyState>
      </>
    )
  }
  return <Loaded key={noteId} contactId={id} noteId={noteId} />
}

function Loaded({ contactId, noteId }: { contactId: string; noteId: string }) {
  const { user } = useSession()
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } }))
  const note = useNote(noteId)
  const title = note.data?.title ?? 'Clinical note'
  const patient: Crumb = {
    label: contact.data ? fullName(contact.data) : 'Patient',
    link: { to: '/contacts/$id', params: { id: contactId }, search: { tab: 'chart' } },
  }
  const failed = [note, contact].find(({ data, error }) => data === undefined && error)
  return (
    <>
      <TopbarTitle title={title} section="Clinical note" crumbs={[{ label: 'Patients', link: { to: '/contacts' } }, patient]} />
      {isMissing(failed?.error) || (note.data && note.data.contactId !== contactId) ? (
        <EmptyState
          icon={<FileX />}
          title="Note not found"
          className="my-auto pb-24"
          actions={
            <Button asChild>
              <Link to="/contacts/$id" params={{ id: contactId }} search={{ tab: 'chart' }}>
                Back to the chart
              </Link>
            </Button>
          }
        >
          The draft was discarded, it belongs to another patient, or the address is wrong.
        </EmptyState>
      ) : failed?.error ? (
        <ErrorState
          title="Couldn’t load the note"
          onRetry={() => {
            for (const query of [note, contact]) if (query.error) void query.refetch()
          }}
          retrying={failed.isFetching}
          className="my-auto pb-24"
        >
          {messageOf(failed.error)}
        </ErrorState>
      ) : note.data && contact.data ? (
        // Someone with unsaved text keeps the editor, which shows both texts if someone else has taken over.
        mayEdit(user, note.data) || hasUnsavedWords(noteId) ? (
          <NoteEditor note={note.data} head={<NoteHead note={note.data} contact={contact.data} />} />
        ) : (
          <NoteView note={note.data} head={<NoteHead note={note.data} contact={contact.data} />} />
        )
      ) : (
        <SkeletonRows rows={8} className="p-4 md:p-6" />
      )}
    </>
  )
}

const isMissing = (error: Error | null | undefined): boolean => statusOf(error) === 404 || statusOf(error) === 422

/** The patient by name and birth date, the note's status, and the allergies. */
function NoteHead({ note, contact }: { note: NoteData; contact: ContactData }) {
  const { label, tone } = formatNoteStatus(note)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-fg-2">
        <Link
          to="/contacts/$id"
          params={{ id: contact.id }}
          search={{ tab: 'chart' }}
          className="rounded-xs font-medium wrap-anywhere text-fg underline-offset-4 hover:underline"
        >
          {fullName(contact)}
        </Link>
        <span aria-hidden="true">·</span>
        <PatientIdentity patient={contact} hidesName />
        <Badge tone={tone}>{label}</Badge>
      </div>
      <AllergyBanner contactId={contact.id} isInset />
    </div>
  )
}
