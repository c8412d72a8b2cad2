/** Renders PDFs in a worker process, which render.ts starts. */
import { renderToBuffer } from '@react-pdf/renderer'
import { runWorker } from '../workers/worker-process.ts'
import { renderDocument } from './layout.ts'
import { fontsFor } from './fonts.ts'
import type { PdfDocument } from './document.ts'

runWorker(async (document: PdfDocument) => {
  // Of pictures, only the lines are text.
  const parts = document.parts.map((part) => ('pictures' in part ? part.pictures.map(({ lines }) => lines) : part))
  const texts = JSON.stringify({ ...document, parts, letterhead: { ...document.letterhead, logo: null } })
  return new Uint8Array(await renderToBuffer(renderDocument(document, await fontsFor(texts))))
})
