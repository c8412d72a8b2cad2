import { FileType, ScanSearch, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Clock } from '../../ui/format.ts'
import { formatDateTime } from '../../ui/format.ts'
import { EmptyState } from '../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../ui/display/HelpLink.tsx'
import { FileView } from '../../ui/viewer/FileView.tsx'
import { ViewerDialog } from '../../ui/viewer/ViewerDialog.tsx'
import type { DocumentData } from './document-data.ts'
import { fetchDisplayable, fileUrl, getDisplayType } from './fetch-file.ts'
import { formatKindAndSize } from './labels.ts'

export interface PreviewProps {
  document: DocumentData
  /** The list that the arrow keys move through; the document may no longer be in it. */
  documents: readonly DocumentData[]
  clock: Clock
  /** Whose it is; shown before the other facts under the name. */
  patient?: ReactNode
  /** Actions other than Download. */
  actions?: ReactNode
  keys?: Readonly<Record<string, () => void>>
  onShow: (document: DocumentData) => void
  onClose: () => void
}

/** Shows a document in the viewer. */
export default function DocumentPreview({ document, documents, clock, patient, actions, keys, onShow, onClose }: PreviewProps) {
  const at = documents.findIndex(({ id }) => id === document.id)
  const [before, after] = at < 0 ? [undefined, undefined] : [documents[at - 1], documents[at + 1]]
  return (
    <ViewerDialog
      file={{
        name: document.name,
        href: fileUrl(document),
        facts: (
          <>
            {patient}
            {formatKindAndSize(document)} · {formatDateTime(document.createdAt, clock)}
          </>
        ),
      }}
      neighbours={{
        place: at >= 0 && documents.length > 1 ? `${at + 1} of ${documents.length}` : null,
        onPrevious: before ? () => onShow(before) : null,
        onNext: after ? () => onShow(after) : null,
      }}
      onClose={onClose}
      keys={keys}
      actions={actions}
    >
      <DocumentContent key={document.id} document={document} />
    </ViewerDialog>
  )
}

function DocumentContent({ document }: { document: DocumentData }) {
  const displayType = getDisplayType(document)
  if (document.scanState === 'infected') {
    return (
      <EmptyState
        icon={<ShieldAlert />}
        title="The virus scanner found a threat"
        className="my-auto"
        actions={<HelpLink to="documents#if-a-file-does-not-open">Why files do not open</HelpLink>}
      >
        This file cannot be viewed or downloaded. Delete it, or ask the patient to send another one.
      </EmptyState>
    )
  }
  if (document.scanState === 'pending') {
    return (
      <EmptyState
        icon={<ScanSearch />}
        title="Virus scan in progress"
        className="my-auto"
        actions={<HelpLink to="documents#if-a-file-does-not-open">What to do if it takes long</HelpLink>}
      >
        This file opens once it has been scanned, usually within seconds.
      </EmptyState>
    )
  }
  if (displayType === null) {
    return (
      <EmptyState icon={<FileType />} title="No preview for Word documents" className="my-auto">
        Download this document to open it in Word.
      </EmptyState>
    )
  }
  return <FileView name={document.name} show={displayType} load={(signal) => fetchDisplayable(document, signal)} />
}
