import { useState } from 'react'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
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

/** Attachments of an email: a patient's document opens, an unknown sender's file is downloaded. */
export function Attachments({ attachments, contactId }: AttachmentsProps) {
  const seesDocuments = usePermission()('documents.list')
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
