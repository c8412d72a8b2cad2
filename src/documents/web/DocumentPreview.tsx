import { FileType, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Clock } from '../../ui/format.ts'
import { formatDateTime } from '../../ui/format.ts'
import { EmptyState } from '../../ui/display/EmptyState.tsx'
import { FileView } from '../../ui/viewer/FileView.tsx'
import { ViewerDialog } from '../../ui/viewer/ViewerDialog.tsx'
import type { DocumentData } from './document-data.ts'
import { fetchShown, fileAddress, shownAs } from './fetch-file.ts'
import { kindAndSize } from './labels.ts'

export interface PreviewProps {
  document: DocumentData
  /** The list that the arrow keys go through; the document may have left it. */
  documents: readonly DocumentData[]
  clock: Clock
  /** More of the line under the name: whose it is. */
  whose?: ReactNode
  /** What can be done with it, beside Download. */
  actions?: ReactNode
  keys?: Readonly<Record<string, () => void>>
  onShow: (document: DocumentData) => void
  onClose: () => void
}

/** A document in sight. */
export default function DocumentPreview({ document, documents, clock, whose, actions, keys, onShow, onClose }: PreviewProps) {
  const at = documents.findIndex(({ id }) => id === document.id)
  const [before, after] = at < 0 ? [undefined, undefined] : [documents[at - 1], documents[at + 1]]
  return (
    <ViewerDialog
      title={document.name}
      facts={
        <>
          {whose}
          {kindAndSize(document)} · {formatDateTime(document.createdAt, clock)}
        </>
      }
      download={{ href: fileAddress(document), name: document.name }}
      place={at >= 0 && documents.length > 1 ? `${at + 1} of ${documents.length}` : null}
      onPrevious={before ? () => onShow(before) : null}
      onNext={after ? () => onShow(after) : null}
      onClose={onClose}
      keys={keys}
      actions={actions}
    >
      <Shown key={document.id} document={document} />
    </ViewerDialog>
  )
}

function Shown({ document }: { document: DocumentData }) {
  const show = shownAs(document)
  if (document.scanState === 'infected') {
    return (
      <EmptyState icon={<ShieldAlert />} title="The virus scanner has found something" className="my-auto">
        This file can be neither shown nor downloaded. Delete it, or ask the patient for another.
      </EmptyState>
    )
  }
  if (show === null) {
    return (
      <EmptyState icon={<FileType />} title="Word opens this document" className="my-auto">
        It cannot be shown here. Download it to read it.
      </EmptyState>
    )
  }
  return <FileView name={document.name} show={show} load={(signal) => fetchShown(document, signal)} />
}
