import { useEffect, useEffectEvent, useState } from 'react'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/overlays/Dialog.tsx'
import { type Loadable, loadable, useLoaded } from '../../../ui/hooks/useLoaded.ts'
import { useWidth } from '../../../ui/hooks/useWidth.ts'
import { useTexts } from '../../../ui/patient/language.ts'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { isSessionOver, type DocumentData } from '../calls.ts'
import { ErrorLine, PortalButton } from '../../../ui/patient/parts.tsx'
import { viewOf } from './labels.ts'
import { documentTexts } from './texts.ts'
import type { Link } from './useDocuments.ts'
import { useOpener } from '../useOpener.ts'

const pdfPages: Loadable<typeof import('../../../ui/viewer/PdfPages.tsx')> = loadable(() => import('../../../ui/viewer/PdfPages.tsx'))
/** In px (spec 9); narrower on small screens. */
const maxPageWidth = 700

/** The part of a document that the viewer needs. */
export type Viewed = Pick<DocumentData, 'id' | 'name' | 'type' | 'previewUrl'>

interface ViewerDialogProps<Document extends Viewed> {
  document: Document
  fileOf: (document: Document, link: Link) => Promise<Blob>
  onDownload: (document: Document) => Promise<void>
  onClose: () => void
}

export default function ViewerDialog<Document extends Viewed>({ document, fileOf, onDownload, onClose }: ViewerDialogProps<Document>) {
  const t = useTexts(documentTexts)
  const frame = useTexts(frameTexts)
  const view = viewOf(document.type)
  const toOpener = useOpener()
  return (
    <Dialog
      onClose={onClose}
      onCloseAutoFocus={toOpener}
      title={<span className="[overflow-wrap:anywhere]">{document.name}</span>}
      size="viewer"
      head={{ isRoomy: true, closeLabel: frame('close') }}
    >
      <DialogBody className="bg-subtle text-portal md:min-h-60" tabIndex={0} aria-label={t('document')} role="region">
        {view === 'none' ? (
          <p className="py-8 text-center">{t('noPreview')}</p>
        ) : (
          <Content key={document.id} view={view} document={document} fileOf={fileOf} />
        )}
      </DialogBody>
      <DialogFooter>
        <PortalButton onClick={() => void onDownload(document)}>{t('download')}</PortalButton>
      </DialogFooter>
    </Dialog>
  )
}

function Content<Document extends Viewed>({
  view,
  document,
  fileOf,
}: Pick<ViewerDialogProps<Document>, 'document' | 'fileOf'> & { view: 'image' | 'pdf' }) {
  const t = useTexts(documentTexts)
  const frame = useTexts(frameTexts)
  const [file, setFile] = useState<Blob | 'failed' | null>(null)
  const [attempt, setAttempt] = useState(0)
  const load = useEffectEvent(() => fileOf(document, document.previewUrl ? 'previewUrl' : 'signedUrl'))
  useEffect(() => {
    let isMounted = true
    setFile(null)
    load().then(
      (blob) => isMounted && setFile(blob),
      (error) => isMounted && !isSessionOver(error) && setFile('failed'),
    )
    return () => {
      isMounted = false
    }
  }, [attempt])

  if (file === 'failed')
    return (
      <div className="flex flex-col items-center gap-4 py-8">
        <ErrorLine>{t(`problems.${view}`)}</ErrorLine>
        <PortalButton onClick={() => setAttempt(attempt + 1)}>{frame('tryAgain')}</PortalButton>
      </div>
    )
  if (view === 'pdf') return <Pdf file={file} onFail={() => setFile('failed')} />
  return file ? <Picture file={file} name={document.name} onFail={() => setFile('failed')} /> : <Loading>{t('loadingImage')}</Loading>
}

function Pdf({ file, onFail }: { file: Blob | null; onFail: () => void }) {
  const t = useTexts(documentTexts)
  const viewer = useLoaded(pdfPages, onFail)
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const width = useWidth(box)
  if (!viewer) return <Loading>{t('loadingViewer')}</Loading>
  if (!file) return <Loading>{t('loadingPdf')}</Loading>
  const { default: PdfPages } = viewer
  return (
    <div ref={setBox}>
      {width > 0 && (
        <PdfPages
          blob={file}
          fit={{ room: width, margin: 0, widest: maxPageWidth }}
          waiting={<Loading>{t('loadingPdf')}</Loading>}
          pageLabel={(number, total) => t('page', { number, total })}
          failedPage={t('pageFailed')}
          // A password-protected PDF fails here; the patient can download and open it.
          onFail={onFail}
        />
      )}
    </div>
  )
}

function Picture({ file, name, onFail }: { file: Blob; name: string; onFail: () => void }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const objectUrl = URL.createObjectURL(file)
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [file])
  return url && <img src={url} alt={name} onError={onFail} className="mx-auto block max-h-[calc(100dvh-14rem)] max-w-full rounded-sm" />
}

function Loading({ children }: { children: string }) {
  return (
    <p role="status" className="py-8 text-center text-fg-2">
      {children}
    </p>
  )
}
