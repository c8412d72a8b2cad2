import type { FileHandle } from 'node:fs/promises'
import type { Budget } from './budget.ts'
import { readAt, type Inspection } from './inspection.ts'

/** In bytes: how far PDF readers search for the header and for the end marker. */
const margin = 1024
/** Zeros and white space, because some programs pad the last disk block. */
const padding = [0, 9, 10, 12, 13, 32]
/** The record that ends a zip, and the maximum length of the comment after it. */
const zipEnd = { signature: Buffer.from('PK\x05\x06', 'latin1'), length: 22, comment: 65_535 }
const webPage = /<(!doctype|html|head|body|script|svg|iframe|\?php|%)/i

/**
 * Requires the header at the start of the file. Readers accept it anywhere in the first 1,024 bytes, but bytes before it could make the
 * file pass as another format too. So could a web page or script after the header, or an archive at the end, because archives are read from
 * the end.
 */
export const inspectPdf: Inspection = async (_file, handle, budget) => {
  const { size } = await handle.stat()
  const head = (await readAt(handle, 0, Math.min(margin, size))).toString('latin1')
  if (!head.startsWith('%PDF-')) return webPage.test(head) ? 'FILE_TYPE' : 'FILE_BROKEN'
  if (webPage.test(head)) return 'FILE_TYPE'
  const tailSize = Math.min(zipEnd.length + zipEnd.comment, size)
  const tail = await readAt(handle, size - tailSize, tailSize)
  if (await isZip(handle, size, tail, budget)) return 'FILE_TYPE'
  const content = tail.subarray(0, 1 + tail.findLastIndex((byte) => !padding.includes(byte)))
  return content.subarray(-margin).includes('%%EOF') ? null : 'FILE_BROKEN'
}

/**
 * Looks for a zip as archive programs do: the end record gives the length of the central directory before it, which has its own signature.
 */
async function isZip(handle: FileHandle, size: number, tail: Buffer, budget: Budget): Promise<boolean> {
  for (let at = tail.lastIndexOf(zipEnd.signature); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(zipEnd.signature, at - 1)) {
    budget.spend('blocks')
    if (at + zipEnd.length > tail.length) continue
    const directory = size - tail.length + at - tail.readUInt32LE(at + 12)
    if (directory >= 0 && (await readAt(handle, directory, 4)).toString('latin1') === 'PK\x01\x02') return true
  }
  return false
}
