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
import { PatientOfDocument } from '../PatientOfDocument.tsx'
import { ReviewButtons } from '../ReviewButtons.tsx'
import { type UploadOptions, UploadArea } from '../uploads/UploadArea.tsx'
import { useUploads } from '../uploads/uploads.ts'
import { useDocumentActions } from '../useDocumentActions.ts'
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

/** The documents of a patient, with an upload area. */
export function PatientDocuments({ contactId, people, documents: query }: PatientDocumentsProps) {
  const clock = useClock()
  const actions = useDocumentActions()
  const { uploads, add, retry, remove } = useUploads(contactId)
  const [uploadOptions, setUploadOptions] = useState<UploadOptions>({ type: 'other', share: false })
  const drop = useFileDrop((files) => add(files, uploadOptions))
  const [open, setOpen] = useState<{ dialog: 'preview' | 'details'; document: DocumentData } | null>(null)
  const [rejecting, setRejecting] = useState<DocumentData | null>(null)
  const documents = query.data ?? []
  /** The current version, or the last one known if the document is no longer in the list. */
  const latest = (document: DocumentData) => documents.find(({ id }) => id === document.id) ?? document

  const accept = (document: DocumentData) => void actions.review(document, 'accepted', null)

  return (
    <div {...drop.handlers} className="@container flex min-h-60 flex-col gap-1">
      <h2 className="sr-only">Documents</h2>
      <UploadArea
        options={uploadOptions}
        onOptionsChange={setUploadOptions}
        isDragOver={drop.over}
        onFiles={(files) => add(files, uploadOptions)}
      />
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
            Drop consents, photos or lab results anywhere on this tab. Files the patient sends through the portal appear here too.
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
              actions={actions}
              onOpen={() => setOpen({ dialog: 'preview', document })}
              onDetails={() => setOpen({ dialog: 'details', document })}
              onAccept={() => accept(document)}
              onReject={() => setRejecting(document)}
            />
          ))}
        </ul>
      )}
      {open?.dialog === 'preview' && (
        <Preview
          document={latest(open.document)}
          documents={documents}
          clock={clock}
          patient={<PatientOfDocument contactId={contactId} />}
          actions={
            <ReviewButtons
              document={latest(open.document)}
              onAccept={() => accept(latest(open.document))}
              onReject={() => setRejecting(latest(open.document))}
            />
          }
          onShow={(document) => setOpen({ dialog: 'preview', document })}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.dialog === 'details' && <DetailsDialog document={open.document} change={actions.change} onClose={() => setOpen(null)} />}
      {rejecting && (
        <RejectDialog
          document={rejecting}
          people={people}
          onReject={(document, reason) => actions.review(document, 'rejected', reason)}
          onClose={() => setRejecting(null)}
        />
      )}
    </div>
  )
}
