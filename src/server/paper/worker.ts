/** Draws papers in a thread of its own (render.ts starts it): one of many pages takes a second, and the first has the fonts to read. */
import { parentPort } from 'node:worker_threads'
import { renderToBuffer } from '@react-pdf/renderer'
import { draw } from './draw.ts'
import { textReader } from './fonts.ts'
import type { Paper } from './paper.ts'

const reader = textReader()

parentPort?.on('message', ({ id, paper }: { id: number; paper: Paper }) => void answer(id, paper))

async function answer(id: number, paper: Paper): Promise<void> {
  try {
    const bytes = new Uint8Array(await renderToBuffer(draw(paper, await reader)))
    parentPort?.postMessage({ id, bytes }, [bytes.buffer])
  } catch (error) {
    // The message may have a patient's name in it.
    parentPort?.postMessage({ id, failed: error instanceof Error ? error.name : 'failed' }, [])
  }
}
