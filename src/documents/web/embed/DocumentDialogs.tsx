import { useEffect, useEffectEvent, useState } from 'react'
import { useClock } from '../../../ui/client/session.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import DocumentPreview from '../DocumentPreview.tsx'
import { PatientOfDocument } from '../PatientOfDocument.tsx'
import { useDocuments } from './useDocuments.ts'

interface DocumentDialogsProps {
  contactId: string
  documentId: string
  onClose: () => void
}

/** Opens one document of a patient in the viewer; the arrow keys move through the patient's other documents. */
export default function DocumentDialogs({ contactId, documentId, onClose }: DocumentDialogsProps) {
  const clock = useClock()
  const { documents } = useDocuments(contactId)
  const [shownId, setShownId] = useState(documentId)
  const document = documents.data?.find(({ id }) => id === shownId)
  const isGone = !document && (documents.data !== undefined || documents.error !== null) && !documents.isFetching
  const closeWithError = useEffectEvent(() => {
    onClose()
    toast.error('Couldn’t open the document', documents.data ? 'It has been deleted.' : 'The connection was lost. Please try again.')
  })
  useEffect(() => {
    if (isGone) closeWithError()
  }, [isGone])
  if (!document) return null
  return (
    <DocumentPreview
      document={document}
      documents={documents.data ?? []}
      clock={clock}
      patient={<PatientOfDocument contactId={contactId} />}
      onShow={({ id }) => setShownId(id)}
      onClose={onClose}
    />
  )
}
