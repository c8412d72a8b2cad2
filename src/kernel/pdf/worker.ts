/** Draws papers as a worker of its own (render.ts starts it): one of many pages takes a second, and the first has the fonts to read. */
import { renderToBuffer } from '@react-pdf/renderer'
import { runWorker } from '../workers/worker-process.ts'
import { draw } from './draw.ts'
import { fontsFor } from './fonts.ts'
import type { PdfDocument } from './document.ts'

runWorker(async (document: PdfDocument) => {
  const texts = JSON.stringify({ ...document, letterhead: { ...document.letterhead, logo: null } })
  return new Uint8Array(await renderToBuffer(draw(document, await fontsFor(texts))))
})
