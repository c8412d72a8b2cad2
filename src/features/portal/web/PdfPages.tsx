import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Document, Page, pdfjs } from 'react-pdf'
import 'react-pdf/dist/Page/TextLayer.css'
// oxlint-disable-next-line import/default -- Vite's way to name a file
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

pdfjs.GlobalWorkerOptions.workerSrc = worker

// Put there by vite.config.ts. The content security policy knows no WebAssembly, so scans are decoded by plain JavaScript.
const options = {
  cMapUrl: `${__PDF_FILES__}cmaps/`,
  standardFontDataUrl: `${__PDF_FILES__}standard_fonts/`,
  wasmUrl: `${__PDF_FILES__}wasm/`,
  useWasm: false,
  // A document that leaves out Helvetica looks the same on a phone that has never heard of it.
  useSystemFonts: false,
  enableXfa: false,
}

/** Spec 9, in px; narrower where there is no room. */
const widest = 700
/** A sharper picture than this is not seen, and a phone has no memory for it. */
const sharpest = 2
/** Height by width of a letter page, until the page has told its own. */
const letter = 11 / 8.5

interface PdfPagesProps {
  file: Blob
  loading: ReactNode
  onFail: () => void
}

/** Every page under the other; those that are far from sight are empty frames, so that a long document does not fill the memory. */
export default function PdfPages({ file, loading, onFail }: PdfPagesProps) {
  const [pages, setPages] = useState(0)
  const [width, setWidth] = useState(0)
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(() => setWidth(Math.min(widest, Math.floor(element.clientWidth))))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])

  return (
    <div ref={box}>
      <Document
        file={file}
        options={options}
        suspense={false}
        loading={loading}
        error={null}
        onLoadSuccess={({ numPages }) => setPages(numPages)}
        onLoadError={onFail}
        onSourceError={onFail}
        // One that asks for a password can be opened by the patient's own program.
        onPassword={onFail}
        className="mx-auto flex flex-col gap-4"
      >
        {width > 0 && Array.from({ length: pages }, (_, index) => <PdfPage key={index + 1} number={index + 1} of={pages} width={width} />)}
      </Document>
    </div>
  )
}

function PdfPage({ number, of, width }: { number: number; of: number; width: number }) {
  const [isNear, setNear] = useState(number === 1)
  const [ratio, setRatio] = useState(letter)
  const frame = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const watcher = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root: element.closest('[data-dialog-body]'),
      rootMargin: '100% 0px',
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])

  return (
    <div
      ref={frame}
      role="group"
      aria-label={`Page ${number} of ${of}`}
      className="mx-auto bg-on-solid shadow-sm"
      style={{ width, minHeight: Math.floor(width * ratio) }}
    >
      {isNear && (
        <Page
          pageNumber={number}
          width={width}
          devicePixelRatio={Math.min(sharpest, devicePixelRatio)}
          suspense={false}
          loading={null}
          error={<p className="p-4 text-danger-fg">Failed to load this page.</p>}
          renderAnnotationLayer={false}
          onLoadSuccess={({ originalWidth, originalHeight }) => setRatio(originalHeight / originalWidth)}
        />
      )}
    </div>
  )
}
