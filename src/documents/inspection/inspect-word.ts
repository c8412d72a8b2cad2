import type { FileHandle } from 'node:fs/promises'
import yauzl from 'yauzl'
import { bytesAt, type Inspection } from './inspection.ts'

/** A letter with pictures has some 50 parts. Sizes in bytes; text packs to a tenth, seldom to a fiftieth. */
const most = { parts: 2_000, unpacked: 200 * 1024 * 1024, ratio: 100 }
/** Small things may be packed as well as they like. */
const alwaysUnpacked = 10 * 1024 * 1024

/**
 * A .docx is a zip with the list of its parts and the text at their usual places. With macros it is a program, and not taken. The sizes are those
 * that the zip declares: nothing is unpacked here.
 */
export const inspectDocx: Inspection = async (file, handle) => {
  const { size } = await handle.stat()
  const names = new Set<string>()
  let unpacked = 0
  try {
    const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false })
    try {
      if (zip.entryCount > most.parts) return 'FILE_TOO_COMPLEX'
      for await (const entry of zip.eachEntry()) {
        unpacked += entry.uncompressedSize
        if (unpacked > most.unpacked || (unpacked > alwaysUnpacked && unpacked > most.ratio * size)) return 'FILE_TOO_COMPLEX'
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

/** Of the format of Word 97: a file system in a file ([MS-CFB]). A directory of 50 MB of Word has some dozens of sectors. */
const maxSectors = 1_000
const kinds = { storage: 1, stream: 2 }
const lastSector = 0xffff_fffa

/** A .doc has a stream of that name; Excel's, Outlook's and an installer's files look the same up to there. Macros lie in a storage of their own. */
export const inspectDoc: Inspection = async (_file, handle) => {
  try {
    const names = await readDirectory(handle)
    return names.has(`${kinds.stream} WordDocument`) && !names.has(`${kinds.storage} VBA`) ? null : 'FILE_TYPE'
  } catch {
    return 'FILE_BROKEN'
  }
}

/** Its kind and name for each entry. @throws when the file is damaged. */
async function readDirectory(handle: FileHandle): Promise<Set<string>> {
  const header = await bytesAt(handle, 0, 512)
  const shift = header.readUInt16LE(30)
  if (header.readUInt16LE(28) !== 0xfffe || (shift !== 9 && shift !== 12)) throw new Error('The header is damaged')
  const sectorSize = 1 << shift
  const { size } = await handle.stat()
  const sectorAt = (sector: number) => bytesAt(handle, (sector + 1) * sectorSize, sectorSize)
  const perSector = sectorSize / 4
  /** Which sector follows a sector. The header names the first 109 sectors of the table that says so, enough for 7 MB; chained ones name the rest. */
  const nextOf = async (sector: number) => {
    if (sector * sectorSize > size) throw new Error('A sector lies behind the end of the file')
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
    if (++read > maxSectors) throw new Error('The directory has no end')
    const entries = await sectorAt(sector)
    for (let at = 0; at < sectorSize; at += 128) {
      const length = Math.min(entries.readUInt16LE(at + 64), 64)
      if (length > 2) names.add(`${entries[at + 66]} ${entries.toString('utf16le', at, at + length - 2)}`)
    }
  }
  return names
}
