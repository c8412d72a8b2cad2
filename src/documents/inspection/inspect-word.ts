import type { FileHandle } from 'node:fs/promises'
import yauzl from 'yauzl'
import { readAt, type Inspection } from './inspection.ts'

/** Sizes in bytes. A letter with images has about 50 parts; text compresses to a tenth, rarely to a fiftieth. */
const max = { parts: 2_000, unpacked: 200 * 1024 * 1024, ratio: 100 }
/** In bytes: up to this unpacked size, any compression ratio is allowed. */
const ratioExemptSize = 10 * 1024 * 1024

/**
 * Requires a zip with the content types and the document text at their standard paths. Documents with macros are programs and are refused.
 * Sizes are those the zip declares; nothing is unpacked here.
 */
export const inspectDocx: Inspection = async (file, handle) => {
  const { size } = await handle.stat()
  const names = new Set<string>()
  let unpacked = 0
  try {
    const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false })
    try {
      if (zip.entryCount > max.parts) return 'FILE_TOO_COMPLEX'
      for await (const entry of zip.eachEntry()) {
        unpacked += entry.uncompressedSize
        if (unpacked > max.unpacked || (unpacked > ratioExemptSize && unpacked > max.ratio * size)) return 'FILE_TOO_COMPLEX'
        names.add(entry.fileName.toLowerCase())
      }
    } finally {
      zip.close()
    }
  } catch {
    return 'FILE_BROKEN'
  }
  const isWord = names.has('[content_types].xml') && names.has('word/document.xml')
  return isWord && ![...names].some((name) => name.endsWith('vbaproject.bin')) ? null : 'FILE_TYPE'
}

/** For the Word 97 format, a file system in a file ([MS-CFB]). The directory of a 50 MB document has a few dozen sectors. */
const maxSectors = 1_000
const entryTypes = { storage: 1, stream: 2 }
const lastSector = 0xffff_fffa

/**
 * Requires the stream WordDocument, because Excel, Outlook and installer files have the same container. Macros are in a storage named VBA.
 */
export const inspectDoc: Inspection = async (_file, handle) => {
  try {
    const names = await readDirectory(handle)
    return names.has(`${entryTypes.stream} WordDocument`) && !names.has(`${entryTypes.storage} VBA`) ? null : 'FILE_TYPE'
  } catch {
    return 'FILE_BROKEN'
  }
}

/** The type and name of each directory entry, such as '2 WordDocument'. @throws if the file is damaged. */
async function readDirectory(handle: FileHandle): Promise<Set<string>> {
  const header = await readAt(handle, 0, 512)
  const shift = header.readUInt16LE(30)
  if (header.readUInt16LE(28) !== 0xfffe || (shift !== 9 && shift !== 12)) throw new Error('The header is damaged')
  const sectorSize = 1 << shift
  const { size } = await handle.stat()
  const sectorAt = (sector: number) => readAt(handle, (sector + 1) * sectorSize, sectorSize)
  const perSector = sectorSize / 4
  /**
   * The sector after a sector. The header lists the first 109 sectors of the allocation table, enough for 7 MB; chained sectors list the
   * rest.
   */
  const nextOf = async (sector: number) => {
    if (sector * sectorSize > size) throw new Error('A sector is beyond the end of the file')
    let index = Math.floor(sector / perSector)
    if (index < 109) return (await sectorAt(header.readUInt32LE(76 + 4 * index))).readUInt32LE(4 * (sector % perSector))
    index -= 109
    let names = await sectorAt(header.readUInt32LE(68))
    for (; index >= perSector - 1; index -= perSector - 1) names = await sectorAt(names.readUInt32LE(sectorSize - 4))
    return (await sectorAt(names.readUInt32LE(4 * index))).readUInt32LE(4 * (sector % perSector))
  }

  const names = new Set<string>()
  let read = 0
  for (let sector = header.readUInt32LE(48); sector < lastSector; sector = await nextOf(sector)) {
    if (++read > maxSectors) throw new Error('The directory does not end')
    const entries = await sectorAt(sector)
    for (let at = 0; at < sectorSize; at += 128) {
      const length = Math.min(entries.readUInt16LE(at + 64), 64)
      if (length > 2) names.add(`${entries[at + 66]} ${entries.toString('utf16le', at, at + length - 2)}`)
    }
  }
  return names
}
