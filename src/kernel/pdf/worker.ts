/** Draws papers as a worker of its own (render.ts starts it): one of many pages takes a second, and the first has the fonts to read. */
import { renderToBuffer } from '@react-pdf/renderer'
import { runWorker } from '../worker-process.ts'
import { draw } from './draw.ts'
import { fontsFor } from './fonts.ts'
import type { PdfDocument } from './document.ts'

runWorker(async (paper: PdfDocument) => {
  const texts = JSON.stringify({ ...paper, letterhead: { ...paper.letterhead, logo: null } })
  return new Uint8Array(await renderToBuffer(draw(paper, await fontsFor(texts))))
})
