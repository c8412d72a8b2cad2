import { Ban, Download, Eye, Paperclip } from 'lucide-react'
import { useState } from 'react'
import { formatFileSize } from '../../../../web/ui/format.ts'
import { lazyLayer } from '../../../../web/ui/lazy-layer.tsx'
import { toast } from '../../../../web/ui/toast.ts'
import { useMay } from '../../../../web/useMay.ts'
import type { AttachmentData } from '../inbox-data.ts'

const DocumentLayer = lazyLayer(
  () => import('../../../documents/web/embed/DocumentLayer.tsx'),
  ({ onClose }) => onClose(),
)

interface AttachmentsProps {
  attachments: readonly AttachmentData[]
  contactId: string | null
}

/** What came with a mail: a patient's document opens, a stranger's file is saved, and what was not kept says why. */
export function Attachments({ attachments, contactId }: AttachmentsProps) {
  const seesDocuments = useMay()('documents.list')
  const [open, setOpen] = useState<string | null>(null)
  return (
    <>
      <ul aria-label="Attachments" className="flex flex-col gap-1.5">
        {attachments.map((attachment) => (
          <li key={attachment.id}>
            <Attachment attachment={attachment} onOpen={contactId && seesDocuments ? setOpen : undefined} />
          </li>
        ))}
      </ul>
      {open && contactId && <DocumentLayer contactId={contactId} documentId={open} onClose={() => setOpen(null)} />}
    </>
  )
}

const looks = 'flex min-h-9 w-full items-center gap-2 rounded-sm border border-line bg-surface px-2.5 py-1.5 text-left text-sm text-fg'

function Attachment({ attachment, onOpen }: { attachment: AttachmentData; onOpen: ((documentId: string) => void) | undefined }) {
  const { id, name, size, documentId, refusal } = attachment
  const facts = <span className="ml-auto flex-none text-xs text-fg-3 tabular-nums">{formatFileSize(size)}</span>
  if (refusal !== null) {
    return (
      <div className={looks}>
        <Ban aria-hidden="true" className="text-danger-fg" />
        <span className="min-w-0">
          <span className="block truncate">{name}</span>
          <span className="block text-xs text-danger-fg">Not kept: {refusal}</span>
        </span>
        {facts}
      </div>
    )
  }
  const act = () => (documentId && onOpen ? onOpen(documentId) : void save(id, name))
  const Icon = documentId && onOpen ? Eye : Download
  return (
    <button type="button" className={`${looks} relative touch-target hover:bg-hover`} onClick={act}>
      <Paperclip aria-hidden="true" className="text-fg-3" />
      <span className="min-w-0 truncate">{name}</span>
      {facts}
      <Icon aria-hidden="true" className="text-fg-3" />
    </button>
  )
}

async function save(id: string, name: string): Promise<void> {
  const answer = await fetch(`/api/inbox/attachments/${id}/file`).catch(() => null)
  if (!answer?.ok) {
    const { message } = ((await answer?.json().catch(() => null)) ?? {}) as { message?: string }
    toast.error('The attachment was not downloaded', message ?? 'The connection was lost. Please try again.')
    return
  }
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
