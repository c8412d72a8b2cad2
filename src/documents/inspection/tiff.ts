import type { Budget } from './budget.ts'

/** Tags of TIFF 6.0 and Exif 2.32. */
const tags = { exif: 0x8769, gps: 0x8825 }
/** Cameras write at most four: for the image, its preview, Exif, and GPS. */
const maxDirectories = 32
/** Size of each value type in bytes, indexed by type number from 1. */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]

/**
 * Removes the GPS directory, its values, and the entry that points to it from a block of Exif data, in place. Everything else keeps its
 * offset. Pointers outside the block are not followed. Returns whether there was a GPS directory.
 * @throws FileTooComplex when there are more entries than cameras write, or when their values are larger than the block
 */
export function blankGps(tiff: Buffer, budget: Budget): boolean {
  const order = tiff.toString('latin1', 0, 4)
  if (order !== 'II*\0' && order !== 'MM\0*') return false
  budget.spend('blocks')
  const isLittleEndian = order === 'II*\0'
  const isInside = (at: number, length: number) => at >= 0 && at + length <= tiff.length
  const readUint16 = (at: number) => (isInside(at, 2) ? (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)) : 0)
  const readUint32 = (at: number) => (isInside(at, 4) ? (isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)) : 0)
  // The header is kept, whatever points to it.
  const wipe = (at: number, length: number) => {
    if (at < 8 || at >= tiff.length) return
    const end = Math.min(at + length, tiff.length)
    budget.spend('metadata', end - at)
    tiff.fill(0, at, end)
  }

  function wipeDirectory(at: number) {
    const count = readUint16(at)
    for (let entry = at + 2; entry < at + 2 + 12 * count && isInside(entry, 12); entry += 12) {
      budget.spend('entries')
      const length = (sizes[readUint16(entry + 2)] ?? 1) * readUint32(entry + 4)
      if (length > 4) wipe(readUint32(entry + 8), length)
    }
    wipe(at, 2 + 12 * count + 4)
  }

  /** Moves the following entries and the pointer after them up by one. */
  function removeEntry(directory: number, entry: number) {
    const count = readUint16(directory)
    // If directories overlap, wiping the GPS directory has wiped this one too.
    if (count === 0) return
    const end = Math.min(directory + 2 + 12 * count + 4, tiff.length)
    budget.spend('metadata', end - entry)
    tiff.copyWithin(entry, entry + 12, end)
    wipe(end - 12, 12)
    if (isLittleEndian) tiff.writeUInt16LE(count - 1, directory)
    else tiff.writeUInt16BE(count - 1, directory)
  }

  let found = false
  const seen = new Set<number>([0])
  const queue = [readUint32(4)]
  for (let directory = queue.pop(); directory !== undefined; directory = queue.pop()) {
    if (seen.has(directory) || seen.size > maxDirectories || !isInside(directory, 2)) continue
    seen.add(directory)
    for (let entry = directory + 2; entry < directory + 2 + 12 * readUint16(directory) && isInside(entry, 12);) {
      budget.spend('entries')
      const tag = readUint16(entry)
      if (tag === tags.exif) queue.push(readUint32(entry + 8))
      if (tag === tags.gps) {
        wipeDirectory(readUint32(entry + 8))
        removeEntry(directory, entry)
        found = true
      } else entry += 12
    }
    queue.push(readUint32(directory + 2 + 12 * readUint16(directory)))
  }
  return found
}
