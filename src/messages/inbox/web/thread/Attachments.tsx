import { useState } from 'react'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'
import { AttachmentLines } from '../../../../platform/mail/web/embed/AttachmentLines.tsx'
import type { AttachmentData } from '../inbox-data.ts'

const DocumentDialogs = lazyDialog(
  () => import('../../../../documents/web/embed/DocumentDialogs.tsx'),
  ({ onClose }) => onClose(),
)

interface AttachmentsProps {
  attachments: readonly AttachmentData[]
  contactId: string | null
}

/** What came with a mail: a patient's document opens, a stranger's file is saved. */
export function Attachments({ attachments, contactId }: AttachmentsProps) {
  const seesDocuments = useMay()('documents.list')
  const [open, setOpen] = useState<string | null>(null)
  return (
    <>
      <AttachmentLines
        attachments={attachments.map(({ id, name, size, documentId, isShown, refusal }) => ({
          id,
          name,
          size,
          isShown,
          refusal,
          address: `/api/inbox/attachments/${id}/file`,
          onOpen: documentId && contactId && seesDocuments ? () => setOpen(documentId) : undefined,
        }))}
      />
      {open && contactId && <DocumentDialogs contactId={contactId} documentId={open} onClose={() => setOpen(null)} />}
    </>
  )
}
