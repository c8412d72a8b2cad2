import type { FileHandle } from 'node:fs/promises'
import type { Budget } from './budget.ts'
import { bytesAt, type Inspection } from './inspection.ts'

/** Readers look this far for the header and for the end. In tail. */
const margin = 1024
/** Zeros and white space: some programs fill the last block of the disk. */
const padding = [0, 9, 10, 12, 13, 32]
/** The record that ends a zip, and the longest comment behind it. */
const zipEnd = { signature: Buffer.from('PK\x05\x06', 'latin1'), length: 22, comment: 65_535 }
const pages = /<(!doctype|html|head|body|script|svg|iframe|\?php|%)/i

/**
 * A PDF begins with its header: readers find one in the first 1,024 bytes, but what stands before it could make the file something else as well
 * for anyone who looks at the beginning. So could a page or a script behind the header, and an archive at the end, where archives are read from.
 */
export const inspectPdf: Inspection = async (_file, handle, budget) => {
  const { size } = await handle.stat()
  const head = (await bytesAt(handle, 0, Math.min(margin, size))).toString('latin1')
  if (!head.startsWith('%PDF-')) return pages.test(head) ? 'FILE_TYPE' : 'FILE_BROKEN'
  if (pages.test(head)) return 'FILE_TYPE'
  const tailSize = Math.min(zipEnd.length + zipEnd.comment, size)
  const tail = await bytesAt(handle, size - tailSize, tailSize)
  if (await isZip(handle, size, tail, budget)) return 'FILE_TYPE'
  const ending = tail.subarray(0, 1 + tail.findLastIndex((byte) => !padding.includes(byte)))
  return ending.subarray(-margin).includes('%%EOF') ? null : 'FILE_BROKEN'
}

/** As programs find it: the record at the end says how long the list before it is, which begins with its own letters. */
async function isZip(handle: FileHandle, size: number, tail: Buffer, budget: Budget): Promise<boolean> {
  for (let at = tail.lastIndexOf(zipEnd.signature); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(zipEnd.signature, at - 1)) {
    budget.spend('blocks')
    if (at + zipEnd.length > tail.length) continue
    const list = size - tail.length + at - tail.readUInt32LE(at + 12)
    if (list >= 0 && (await bytesAt(handle, list, 4)).toString('latin1') === 'PK\x01\x02') return true
  }
  return false
}
