import type { Budget } from './budget.ts'

/** Tags of TIFF 6.0 and Exif 2.32. */
const tags = { exif: 0x8769, gps: 0x8825 }
/** There are four at most in a camera's: of the picture, of its preview, Exif's own, and GPS's. */
const maxDirectories = 32
/** Of each type of value, in bytes; the types count from 1. */
const widths = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]

/**
 * Takes the GPS directory, with its values, and the entry that names it out of a block of Exif data, in place: all else stays where it is.
 * What lies outside the block is not followed. Returns whether there was one.
 * @throws FileTooComplex when there are more entries than cameras write, or they say that more belongs to them than the block has.
 */
export function blankGps(tiff: Buffer, budget: Budget): boolean {
  const order = tiff.toString('latin1', 0, 4)
  if (order !== 'II*\0' && order !== 'MM\0*') return false
  budget.spend('blocks')
  const isLittle = order === 'II*\0'
  const has = (at: number, length: number) => at >= 0 && at + length <= tiff.length
  const short = (at: number) => (has(at, 2) ? (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)) : 0)
  const long = (at: number) => (has(at, 4) ? (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)) : 0)
  // The header stays whatever points at it.
  const wipe = (at: number, length: number) => {
    if (at < 8 || at >= tiff.length) return
    const end = Math.min(at + length, tiff.length)
    budget.spend('metadata', end - at)
    tiff.fill(0, at, end)
  }

  function wipeDirectory(at: number) {
    const count = short(at)
    for (let entry = at + 2; entry < at + 2 + 12 * count && has(entry, 12); entry += 12) {
      budget.spend('entries')
      const length = (widths[short(entry + 2)] ?? 1) * long(entry + 4)
      if (length > 4) wipe(long(entry + 8), length)
    }
    wipe(at, 2 + 12 * count + 4)
  }

  /** The entries and the pointer behind them move up by one. */
  function takeOut(directory: number, entry: number) {
    const count = short(directory)
    // Where directories lie on one another, wiping GPS's has wiped this one.
    if (count === 0) return
    const end = Math.min(directory + 2 + 12 * count + 4, tiff.length)
    budget.spend('metadata', end - entry)
    tiff.copyWithin(entry, entry + 12, end)
    wipe(end - 12, 12)
    if (isLittle) tiff.writeUInt16LE(count - 1, directory)
    else tiff.writeUInt16BE(count - 1, directory)
  }

  let found = false
  const seen = new Set<number>([0])
  const waiting = [long(4)]
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    if (seen.has(directory) || seen.size > maxDirectories || !has(directory, 2)) continue
    seen.add(directory)
    for (let entry = directory + 2; entry < directory + 2 + 12 * short(directory) && has(entry, 12); ) {
      budget.spend('entries')
      const tag = short(entry)
      if (tag === tags.exif) waiting.push(long(entry + 8))
      if (tag === tags.gps) {
        wipeDirectory(long(entry + 8))
        takeOut(directory, entry)
        found = true
      } else entry += 12
    }
    waiting.push(long(directory + 2 + 12 * short(directory)))
  }
  return found
}
