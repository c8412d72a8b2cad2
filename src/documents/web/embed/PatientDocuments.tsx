import { FileStack } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '../../../platform/auth/people-contract.ts'
import { messageOf } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { useFileDrop } from '../../../ui/hooks/useFileDrop.ts'
import { UploadLines } from '../../../ui/uploads/UploadLines.tsx'
import type { DocumentData } from '../document-data.ts'
import { DocumentRow } from '../DocumentRow.tsx'
import { ReviewButtons } from '../ReviewButtons.tsx'
import { type FiledUnder, UploadArea } from '../uploads/UploadArea.tsx'
import { useUploads } from '../uploads/uploads.ts'
import { useDocumentChange } from '../useDocumentChange.ts'
import type { useDocuments } from './useDocuments.ts'

const Preview = lazyDialog(
  () => import('../DocumentPreview.tsx'),
  ({ onClose }) => onClose(),
)
const RejectDialog = lazyDialog(
  () => import('../RejectDialog.tsx'),
  ({ onClose }) => onClose(),
)
const DetailsDialog = lazyDialog(
  () => import('../DetailsDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface PatientDocumentsProps {
  contactId: string
  people: readonly Person[]
  documents: ReturnType<typeof useDocuments>['documents']
}

/** The documents of a patient: what was sent and uploaded, who sees it, and a place to drop more. */
export function PatientDocuments({ contactId, people, documents: query }: PatientDocumentsProps) {
  const clock = useClock()
  const acts = useDocumentChange()
  const { uploads, add, retry, remove } = useUploads(contactId)
  const [filed, setFiled] = useState<FiledUnder>({ type: 'other', share: false })
  const drop = useFileDrop((files) => add(files, filed))
  const [open, setOpen] = useState<{ layer: 'preview' | 'details'; document: DocumentData } | null>(null)
  const [rejecting, setRejecting] = useState<DocumentData | null>(null)
  const documents = query.data ?? []
  /** As it is now, or as it was when it left the list. */
  const latest = (document: DocumentData) => documents.find(({ id }) => id === document.id) ?? document

  const accept = (document: DocumentData) => void acts.review(document, 'accepted', null)

  return (
    <div {...drop.handlers} className="@container flex min-h-60 flex-col gap-1">
      <h2 className="sr-only">Documents</h2>
      <UploadArea filed={filed} onFiledChange={setFiled} over={drop.over} onFiles={(files) => add(files, filed)} />
      <UploadLines uploads={uploads} onRetry={retry} onRemove={remove} />
      {!query.data ? (
        query.error ? (
          <ErrorState title="Couldn’t load the documents" onRetry={() => void query.refetch()} retrying={query.isFetching}>
            {messageOf(query.error)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={4} rowClassName="h-16 px-0 md:px-0" />
        )
      ) : documents.length === 0 ? (
        uploads.length === 0 && (
          <EmptyState icon={<FileStack />} title="No documents yet">
            Consents, photos, lab results: drop them anywhere on this tab. What the patient sends through the portal appears here too.
          </EmptyState>
        )
      ) : (
        <ul aria-label="Documents">
          {documents.map((document) => (
            <DocumentRow
              key={document.id}
              document={document}
              people={people}
              clock={clock}
              acts={acts}
              onOpen={() => setOpen({ layer: 'preview', document })}
              onDetails={() => setOpen({ layer: 'details', document })}
              onAccept={() => accept(document)}
              onReject={() => setRejecting(document)}
            />
          ))}
        </ul>
      )}
      {open?.layer === 'preview' && (
        <Preview
          document={latest(open.document)}
          documents={documents}
          clock={clock}
          actions={
            <ReviewButtons
              document={latest(open.document)}
              onAccept={() => accept(latest(open.document))}
              onReject={() => setRejecting(latest(open.document))}
            />
          }
          onShow={(document) => setOpen({ layer: 'preview', document })}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.layer === 'details' && <DetailsDialog document={open.document} change={acts.change} onClose={() => setOpen(null)} />}
      {rejecting && (
        <RejectDialog
          document={rejecting}
          people={people}
          onReject={(document, reason) => acts.review(document, 'rejected', reason)}
          onClose={() => setRejecting(null)}
        />
      )}
    </div>
  )
}
