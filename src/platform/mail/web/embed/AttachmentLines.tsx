import { Ban, Download, Eye, Paperclip } from 'lucide-react'
import { downloadBlob } from '../../../../ui/client/download-blob.ts'
import { formatFileSize } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toast.ts'

export interface AttachmentLine {
  id: string
  name: string
  /** In bytes. */
  size: number
  /** Shown inline in the email. */
  isShown?: boolean
  /** Why it was not stored. */
  refusal?: string | null
  /** Download address. */
  address: string
  /** If given, opens the file in a viewer; otherwise the file is downloaded. */
  onOpen?: (() => void) | undefined
}

/** Attachments of an email: opened or downloaded; those not stored say why. */
export function AttachmentLines({ attachments }: { attachments: readonly AttachmentLine[] }) {
  return (
    <ul aria-label="Attachments" className="flex flex-col gap-1.5">
      {attachments.map((attachment) => (
        <li key={attachment.id}>
          <Line attachment={attachment} />
        </li>
      ))}
    </ul>
  )
}

const styles = 'flex min-h-9 w-full items-center gap-2 rounded-sm border border-line bg-surface px-2.5 py-1.5 text-left text-sm text-fg'

function Line({ attachment: { name, size, isShown, refusal, address, onOpen } }: { attachment: AttachmentLine }) {
  const facts = (
    <span className="ml-auto flex-none text-xs text-fg-3 tabular-nums">
      {isShown && 'Shown in the email · '}
      {formatFileSize(size)}
    </span>
  )
  if (refusal) {
    return (
      <div className={styles}>
        <Ban aria-hidden="true" className="text-danger-fg" />
        <span className="min-w-0">
          <span className="block truncate">{name}</span>
          <span className="block text-xs text-danger-fg">Not kept: {refusal}</span>
        </span>
        {facts}
      </div>
    )
  }
  const Icon = onOpen ? Eye : Download
  return (
    <button
      type="button"
      className={`${styles} relative touch-target hover:bg-hover`}
      onClick={() => (onOpen ? onOpen() : void save(address, name))}
    >
      <Paperclip aria-hidden="true" className="text-fg-3" />
      <span className="min-w-0 truncate">{name}</span>
      {facts}
      <Icon aria-hidden="true" className="text-fg-3" />
    </button>
  )
}

async function save(address: string, name: string): Promise<void> {
  const answer = await fetch(address).catch(() => null)
  if (!answer?.ok) {
    const { message } = ((await answer?.json().catch(() => null)) ?? {}) as { message?: string }
    toast.error('The attachment was not downloaded', message ?? 'The connection was lost. Please try again.')
    return
  }
  downloadBlob(await answer.blob(), name)
}
