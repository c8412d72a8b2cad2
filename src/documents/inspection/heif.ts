import type { FileHandle } from 'node:fs/promises'
import { type Budget, createBudget, FileTooComplex } from './budget.ts'
import { readAt } from './inspection.ts'

/**
 * The items and properties declared in a HEIF file of nested boxes (ISO/IEC 14496-12 and 23008-12). Positions are byte offsets in the file.
 */
export type Heif = {
  /** Stored items: images (hvc1, grid) and metadata (Exif, mime). An item may be split into several pieces. */
  items: (Item & { pieces: Piece[] })[]
  /** The size of each declared image, including the tiles of a grid, in pixels. */
  sizes: { width: number; height: number }[]
  /** The colour profile; null if the image is plain sRGB or describes its colours in another way. */
  iccProfile: Buffer | null
}
type Item = { id: number; type: string; contentType: string; isCompressed: boolean }
type Piece = { start: number; end: number }
type Box = { type: string; start: number; end: number }

/** Limits beyond any photo: a phone's image has about 60 items and 10 kB of metadata about them. */
const max = { metaBytes: 8 * 1024 * 1024, boxes: 10_000, pieces: 20_000 }

/** The brands the file declares, major brand first; empty for other formats. */
export function readBrands(head: Buffer): string[] {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = end >= 12 ? [head.toString('latin1', 8, 12)] : []
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}

/** @throws an Error if the file is damaged or incomplete, FileTooComplex if it exceeds a limit. */
export async function readHeif(handle: FileHandle, budget: Budget = createBudget()): Promise<Heif> {
  const { size } = await handle.stat()
  const box = await findMeta(handle, size)
  if (box.end - box.start > max.metaBytes) throw new FileTooComplex('The meta box is too large')
  const meta = await readAt(handle, box.start, box.end - box.start)
  const boxesIn = (start: number, end: number) => boxesBetween(meta, start, end, budget)
  // Positions inside `meta` are relative to its start; it begins with a version.
  const parts = boxesIn(4, meta.length)
  const data = parts.find(({ type }) => type === 'idat')
  const located = readLocations(meta, getBox(parts, 'iloc'), size, data && { start: box.start + data.start, end: box.start + data.end })
  const properties = parts.filter(({ type }) => type === 'iprp').flatMap((part) => boxesIn(part.start, part.end))
  const described = properties.filter(({ type }) => type === 'ipco').flatMap((part) => boxesIn(part.start, part.end))
  const colour = described.find((part) => part.type === 'colr' && /^(prof|rICC)$/.test(meta.toString('latin1', part.start, part.start + 4)))
  return {
    items: readItems(meta, getBox(parts, 'iinf'), budget).map((item) => ({ ...item, pieces: located.get(item.id) ?? [] })),
    sizes: described
      .filter(({ type }) => type === 'ispe')
      .map(({ start }) => ({ width: meta.readUInt32BE(start + 4), height: meta.readUInt32BE(start + 8) })),
    iccProfile: colour ? meta.subarray(colour.start + 4, colour.end) : null,
  }
}

async function findMeta(handle: FileHandle, size: number): Promise<Box> {
  for (let at = 0, n = 0; at + 8 <= size && n < 1000; n++) {
    const box = readBox(await readAt(handle, at, Math.min(16, size - at)), 0, size - at)
    if (box.type === 'meta') return { type: box.type, start: at + box.start, end: at + box.end }
    at += box.end
  }
  throw new Error('The meta box is missing')
}

/** Reads the box at a position; it must end before `limit`. `start` is the start of its content. */
function readBox(bytes: Buffer, at: number, limit: number): Box {
  const type = bytes.toString('latin1', at + 4, at + 8)
  const short = bytes.readUInt32BE(at)
  const [header, size] = short === 1 ? [16, Number(bytes.readBigUInt64BE(at + 8))] : [8, short === 0 ? limit - at : short]
  if (size < header || at + size > limit) throw new Error(`The ${type} box is larger than its parent`)
  return { type, start: at + header, end: at + size }
}

function boxesBetween(bytes: Buffer, start: number, end: number, budget: Budget): Box[] {
  const boxes: Box[] = []
  for (let at = start; at + 8 <= end; at = boxes.at(-1)!.end) {
    budget.spend('parts')
    boxes.push(readBox(bytes, at, end))
    if (boxes.length > max.boxes) throw new FileTooComplex('Too many boxes')
  }
  return boxes
}

function getBox(boxes: Box[], type: string): Box {
  const box = boxes.find((candidate) => candidate.type === type)
  if (!box) throw new Error(`The ${type} box is missing`)
  return box
}

function readItems(meta: Buffer, { start, end }: Box, budget: Budget): Item[] {
  const list = start + (meta.readUInt8(start) === 0 ? 6 : 8)
  return boxesBetween(meta, list, end, budget).flatMap(({ type: box, start: at, end: boxEnd }) => {
    const version = meta.readUInt8(at)
    if (box !== 'infe' || version < 2) return []
    const width = version === 2 ? 2 : 4
    const typeAt = at + 4 + width + 2
    const [, contentType = '', encoding = ''] = meta.toString('latin1', typeAt + 4, boxEnd).split('\0')
    const type = meta.toString('latin1', typeAt, typeAt + 4)
    return [{ id: meta.readUIntBE(at + 4, width), type, contentType, isCompressed: encoding !== '' }]
  })
}

function readLocations(meta: Buffer, { start, end }: Box, fileSize: number, data?: Piece): Map<number, Piece[]> {
  const version = meta.readUInt8(start)
  const widths = meta.readUInt16BE(start + 4)
  const [offsetWidth, lengthWidth, baseWidth, indexWidth] = [
    widths >> 12,
    (widths >> 8) & 15,
    (widths >> 4) & 15,
    version === 0 ? 0 : widths & 15,
  ]
  let at = start + 6
  const next = (width: number): number => {
    at += width
    if (at > end) throw new Error('The item locations are truncated')
    return width === 0 ? 0 : width === 8 ? Number(meta.readBigUInt64BE(at - 8)) : meta.readUIntBE(at - width, width)
  }
  const countWidth = version < 2 ? 2 : 4
  const found = new Map<number, Piece[]>()
  let pieces = 0
  for (let remaining = next(countWidth); remaining > 0; remaining--) {
    const id = next(countWidth)
    const method = version === 0 ? 0 : next(2) & 15
    next(2)
    const base = next(baseWidth)
    const count = next(2)
    pieces += count
    if (pieces > max.pieces) throw new FileTooComplex('The items have too many pieces')
    const within = method === 0 ? { start: 0, end: fileSize } : method === 1 ? data : undefined
    const list = Array.from({ length: count }, () => {
      next(indexWidth)
      const from = (within?.start ?? 0) + base + next(offsetWidth)
      const length = next(lengthWidth)
      return { start: from, end: length === 0 ? (within?.end ?? from) : from + length }
    })
    if (!within) continue // an item derived from other items has no bytes of its own
    if (list.some((piece) => piece.end > within.end)) throw new Error('An item extends beyond the end of the file')
    found.set(id, list)
  }
  return found
}
