import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Document, Page, pdfjs } from 'react-pdf'
import 'react-pdf/dist/Page/TextLayer.css'

pdfjs.GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).href

/** From our own origin only, and without WebAssembly, which the content security policy blocks. */
const options = {
  cMapUrl: `${__PDF_FILES__}cmaps/`,
  standardFontDataUrl: `${__PDF_FILES__}standard_fonts/`,
  wasmUrl: `${__PDF_FILES__}wasm/`,
  useWasm: false,
  // Standard fonts, so that a document without embedded Helvetica looks the same on any phone.
  useSystemFonts: false,
  enableXfa: false,
}

/** Gap between pages, in px. */
const gap = 16
/** Higher resolution is not visible and exceeds a phone's memory. */
const sharpest = 2
/** Height by width of a letter page, until the first page is known. */
const letter = 11 / 8.5

/** What determines the size of the pages. */
interface PageFit {
  /** In px: available width, margin on each side, and maximum width of a whole page, that of readable text. */
  room: number
  margin?: number
  widest?: number
  /** In px: maximum height of a whole page between the margins; without it pages fit the width only. */
  height?: number
  zoom?: number
}

interface PdfPagesProps {
  blob: Blob
  fit: PageFit
  /** Called with the visible page: 'Page 2 of 5'. */
  onPlace?: (place: string) => void
  waiting: ReactNode
  /** Names a page; in English unless stated. */
  pageLabel?: (number: number, count: number) => string
  /** In place of a page that cannot be shown; in English unless stated. */
  failedPage?: string
  /** Called with the reason if it cannot be shown. */
  onFail: (why: string) => void
}

/** The pages of a PDF, each rendered when near the viewport. */
export default function PdfPages({
  blob,
  fit,
  onPlace,
  waiting,
  pageLabel = (number, total) => `Page ${number} of ${total}`,
  failedPage = 'This page cannot be shown. The file can be downloaded.',
  onFail,
}: PdfPagesProps) {
  const { room, margin = 16, widest = 900, height, zoom = 1 } = fit
  const [count, setCount] = useState(0)
  const [ratio, setRatio] = useState(letter)
  const tallest = height === undefined ? Infinity : (height - 2 * margin) / ratio
  const width = Math.round(Math.max(100, Math.min(widest, room - 2 * margin, tallest)) * zoom)
  const visiblePage = useVisiblePage(count, onPlace)

  return (
    <Document
      file={blob}
      options={options}
      suspense={false}
      loading={waiting}
      error={null}
      noData={null}
      // Otherwise the browser would ask for the password with its own prompt.
      onPassword={() => onFail('This PDF is protected by a password. Download it to open it.')}
      onLoadError={() => onFail('This PDF cannot be shown here. Download it to view it.')}
      onLoadSuccess={(pdf) => {
        // The first page's shape is known before rendering, so all pages have their size from the start.
        void pdf
          .getPage(1)
          .then((page) => {
            const first = page.getViewport({ scale: 1 })
            setRatio(first.height / first.width)
          })
          .catch(() => {})
          .finally(() => setCount(pdf.numPages))
      }}
      className="mx-auto flex w-fit flex-col items-center"
    >
      {Array.from({ length: count }, (_, index) => (
        <PdfPage
          key={index + 1}
          number={index + 1}
          label={pageLabel(index + 1, count)}
          failed={failedPage}
          width={width}
          margin={margin}
          ratio={ratio}
          watch={visiblePage}
        />
      ))}
    </Document>
  )
}

interface PdfPageProps {
  number: number
  label: string
  failed: string
  width: number
  margin: number
  /** Height by width until the page itself is known. */
  ratio: number
  watch: (element: Element, number: number) => () => void
}

function PdfPage({ number, label, failed, width, margin, ratio, watch }: PdfPageProps) {
  const box = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  const [own, setOwn] = useState<number | null>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), { rootMargin: '800px' })
    observer.observe(element)
    const leave = watch(element, number)
    return () => {
      observer.disconnect()
      leave()
    }
  }, [number, watch])

  return (
    <div
      ref={box}
      role="group"
      aria-label={label}
      className="relative overflow-clip rounded-xs bg-white shadow-sm"
      style={{ width, height: Math.round(width * (own ?? ratio)), marginInline: margin, marginBlock: `${number > 1 ? gap : 0}px 0` }}
    >
      {near && (
        <Page
          pageNumber={number}
          width={width}
          devicePixelRatio={Math.min(sharpest, devicePixelRatio)}
          suspense={false}
          loading={null}
          error={<p className="p-6 text-sm text-danger">{failed}</p>}
          // Disables links: a received file must not lead out of the product.
          renderAnnotationLayer={false}
          onLoadSuccess={(page) => setOwn(page.originalHeight / page.originalWidth)}
        />
      )}
    </div>
  )
}

/** Tracks which page is in the middle of the viewport. */
function useVisiblePage(count: number, onPlace: ((place: string) => void) | undefined) {
  const onPlaceRef = useRef(onPlace)
  useEffect(() => {
    onPlaceRef.current = onPlace
  })
  return useCallback(
    (element: Element, number: number) => {
      const room = element.closest('[role="region"]')
      const observer = new IntersectionObserver(
        ([entry]) => {
          if (entry?.isIntersecting) onPlaceRef.current?.(count === 1 ? '1 page' : `Page ${number} of ${count}`)
        },
        { root: room, rootMargin: '-49% 0px -49% 0px' },
      )
      observer.observe(element)
      return () => observer.disconnect()
    },
    [count],
  )
}
