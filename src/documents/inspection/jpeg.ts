import type { Budget } from './budget.ts'

/** Markers of ITU-T T.81. */
const markers = { tables: [0xc4, 0xc8, 0xcc], startOfImage: 0xd8, endOfImage: 0xd9, startOfScan: 0xda }
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/**
 * The bytes that the first image of a JPEG takes in memory while it is decoded: two per value if it has several scans, because it is then
 * held completely; otherwise 0, because only a few rows are. Walks the markers once, by their length.
 * @throws FileTooComplex
 */
export function measureDecodedSize(bytes: Buffer, budget: Budget): number {
  let [size, components, isBuffered] = [0, 0, false]
  for (let at = 2; at + 10 <= bytes.length;) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0) at += 1
    else if (marker === markers.endOfImage) break
    else if (marker === markers.startOfImage || isRestart(marker)) at += 2
    else {
      budget.spend('parts')
      if (marker >= 0xc0 && marker <= 0xcf && !markers.tables.includes(marker)) {
        budget.spend('blocks')
        components = bytes[at + 9]!
        size = Math.max(size, countValues(bytes, at) * 2)
        isBuffered ||= marker === 0xc2 || marker === 0xca
      }
      if (marker === markers.startOfScan) {
        budget.spend('scans')
        isBuffered ||= bytes[at + 4]! < components
      }
      at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
      if (marker === markers.startOfScan) at = findEndOfScan(bytes, at)
    }
  }
  return isBuffered ? size : 0
}

/** The number of values of all components of a frame; colour may have fewer than brightness. */
function countValues(bytes: Buffer, frame: number): number {
  const pixels = bytes.readUInt16BE(frame + 5) * bytes.readUInt16BE(frame + 7)
  const samplings = Array.from({ length: bytes[frame + 9]! }, (_, n) => bytes[frame + 11 + 3 * n] ?? 0)
  const maxSampling = (shift: number) => Math.max(1, ...samplings.map((sampling) => (sampling >> shift) & 15))
  const whole = maxSampling(4) * maxSampling(0)
  return samplings.reduce((sum, sampling) => sum + (pixels * (sampling >> 4) * (sampling & 15)) / whole, 0)
}

/** Image data ends at the next marker; within it, FF is always followed by 0. */
function findEndOfScan(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(0xff, start)
  while (at >= 0 && (bytes[at + 1] === 0 || isRestart(bytes[at + 1] ?? 0))) at = bytes.indexOf(0xff, at + 2)
  return at < 0 ? bytes.length : at
}
