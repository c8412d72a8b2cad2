import { useEffect, useEffectEvent, useState } from 'react'
import { Dialog, DialogBody, DialogFooter } from '../../ui/overlays/Dialog.tsx'
import { type Loadable, loadable, useLoaded } from '../../ui/hooks/useLoaded.ts'
import { useWidth } from '../../ui/hooks/useWidth.ts'
import { isSessionOver, type ShownDocument } from './calls.ts'
import { ErrorLine, PortalButton } from '../../ui/patient/parts.tsx'
import { viewOf } from './texts.ts'
import type { Link } from './useDocuments.ts'
import { useOpener } from './useOpener.ts'

const pdfPages: Loadable<typeof import('../../ui/viewer/PdfPages.tsx')> = loadable(() => import('../../ui/viewer/PdfPages.tsx'))
/** Spec 9, in px; narrower where there is no room. */
const widestPage = 700

/** As much of a document as it takes to show it. */
export type Viewed = Pick<ShownDocument, 'id' | 'name' | 'type' | 'previewUrl'>

interface ViewerDialogProps<Document extends Viewed> {
  document: Document
  fileOf: (document: Document, link: Link) => Promise<Blob>
  onDownload: (document: Document) => Promise<void>
  onClose: () => void
}

const failed = { image: 'Failed to load image.', pdf: 'Failed to load PDF.' }

export default function ViewerDialog<Document extends Viewed>({ document, fileOf, onDownload, onClose }: ViewerDialogProps<Document>) {
  const view = viewOf(document.type)
  const toOpener = useOpener()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onCloseAutoFocus={toOpener}
      title={<span className="[overflow-wrap:anywhere]">{document.name}</span>}
      size="viewer"
      roomy
    >
      <DialogBody className="bg-subtle text-portal md:min-h-60" tabIndex={0} aria-label="Document" role="region">
        {view === 'none' ? (
          <p className="py-8 text-center">Cannot preview this file type. Please download.</p>
        ) : (
          <Content key={document.id} view={view} document={document} fileOf={fileOf} />
        )}
      </DialogBody>
      <DialogFooter>
        <PortalButton onClick={() => void onDownload(document)}>Download</PortalButton>
      </DialogFooter>
    </Dialog>
  )
}

function Content<Document extends Viewed>({
  view,
  document,
  fileOf,
}: Pick<ViewerDialogProps<Document>, 'document' | 'fileOf'> & { view: 'image' | 'pdf' }) {
  const [file, setFile] = useState<Blob | 'failed' | null>(null)
  const [attempt, setAttempt] = useState(0)
  const load = useEffectEvent(() => fileOf(document, document.previewUrl ? 'previewUrl' : 'signedUrl'))
  useEffect(() => {
    let isHere = true
    setFile(null)
    load().then(
      (blob) => isHere && setFile(blob),
      (error) => isHere && !isSessionOver(error) && setFile('failed'),
    )
    return () => {
      isHere = false
    }
  }, [attempt])

  if (file === 'failed')
    return (
      <div className="flex flex-col items-center gap-4 py-8">
        <ErrorLine>{failed[view]}</ErrorLine>
        <PortalButton onClick={() => setAttempt(attempt + 1)}>Try again</PortalButton>
      </div>
    )
  if (view === 'pdf') return <Pdf file={file} onFail={() => setFile('failed')} />
  return file ? <Picture file={file} name={document.name} onFail={() => setFile('failed')} /> : <Waiting>Loading image...</Waiting>
}

function Pdf({ file, onFail }: { file: Blob | null; onFail: () => void }) {
  const viewer = useLoaded(pdfPages, onFail)
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const room = useWidth(box)
  if (!viewer) return <Waiting>Loading PDF viewer...</Waiting>
  if (!file) return <Waiting>Loading PDF...</Waiting>
  const { default: PdfPages } = viewer
  return (
    <div ref={setBox}>
      {room > 0 && (
        <PdfPages
          blob={file}
          room={room}
          margin={0}
          widest={widestPage}
          waiting={<Waiting>Loading PDF...</Waiting>}
          // One that asks for a password can be opened by the patient's own program.
          onFail={onFail}
        />
      )}
    </div>
  )
}

function Picture({ file, name, onFail }: { file: Blob; name: string; onFail: () => void }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url && <img src={url} alt={name} onError={onFail} className="mx-auto block max-h-[calc(100dvh-14rem)] max-w-full rounded-sm" />
}

function Waiting({ children }: { children: string }) {
  return (
    <p role="status" className="py-8 text-center text-fg-2">
      {children}
    </p>
  )
}
