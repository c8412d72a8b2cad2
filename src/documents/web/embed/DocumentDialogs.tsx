import { useEffect, useEffectEvent, useState } from 'react'
import { useClock } from '../../../ui/client/session.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import DocumentPreview from '../DocumentPreview.tsx'
import { useDocuments } from './useDocuments.ts'

interface DocumentDialogsProps {
  contactId: string
  documentId: string
  onClose: () => void
}

/** One document of a patient in the viewer, opened from where it is spoken of; the arrow keys lead to the patient's others. */
export default function DocumentDialogs({ contactId, documentId, onClose }: DocumentDialogsProps) {
  const clock = useClock()
  const { documents } = useDocuments(contactId)
  const [shown, setShown] = useState(documentId)
  const document = documents.data?.find(({ id }) => id === shown)
  const isGone = !document && (documents.data !== undefined || documents.error !== null) && !documents.isFetching
  const leave = useEffectEvent(() => {
    onClose()
    toast.error(
      'The document did not open',
      documents.data ? 'It was deleted in the meantime.' : 'The connection was lost. Please try again.',
    )
  })
  useEffect(() => {
    if (isGone) leave()
  }, [isGone])
  if (!document) return null
  return (
    <DocumentPreview
      document={document}
      documents={documents.data ?? []}
      clock={clock}
      onShow={({ id }) => setShown(id)}
      onClose={onClose}
    />
  )
}
