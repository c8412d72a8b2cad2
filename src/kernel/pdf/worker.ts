/** Draws papers as a worker of its own (render.ts starts it): one of many pages takes a second, and the first has the fonts to read. */
import { renderToBuffer } from '@react-pdf/renderer'
import { runWorker } from '../worker-process.ts'
import { draw } from './draw.ts'
import { textReader } from './fonts.ts'
import type { Paper } from './paper.ts'

const reader = textReader()

runWorker(async (paper: Paper) => new Uint8Array(await renderToBuffer(draw(paper, await reader))))
