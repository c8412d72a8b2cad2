import type { FileHandle } from 'node:fs/promises'
import { type Budget, createBudget, FileTooComplex } from './budget.ts'
import { bytesAt } from './inspection.ts'

/** A file of boxes in boxes (ISO/IEC 14496-12 and 23008-12), as far as it says what is in it. Positions are bytes of the file. */
export type Heif = {
  /** What is stored: pictures (hvc1, grid), metadata (Exif, mime). An item may lie in several pieces. */
  items: (Item & { pieces: Piece[] })[]
  /** Of each picture that is declared, the parts of a grid among them. In pixels. */
  sizes: { width: number; height: number }[]
  /** The colours of the picture, unless they are plain sRGB or said in another way. */
  iccProfile: Buffer | null
}
type Item = { id: number; type: string; contentType: string; isPacked: boolean }
type Piece = { start: number; end: number }
type Box = { type: string; start: number; end: number }

/** More than this are no photograph: a phone's picture has some 60 items and 10 kB about them. */
const most = { describing: 8 * 1024 * 1024, boxes: 10_000, pieces: 20_000 }

/** What kinds of file it says to be, the chief one first; none for a file of another format. */
export function brandsOf(head: Buffer): string[] {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = end >= 12 ? [head.toString('latin1', 8, 12)] : []
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}

/** @throws an error for a file that is damaged or incomplete, FileTooComplex for one that is too much of it. */
export async function readHeif(handle: FileHandle, budget: Budget = createBudget()): Promise<Heif> {
  const { size } = await handle.stat()
  const box = await findMeta(handle, size)
  if (box.end - box.start > most.describing) throw new FileTooComplex('More is said about the pictures than pictures need')
  const meta = await bytesAt(handle, box.start, box.end - box.start)
  const boxesIn = (start: number, end: number) => boxesBetween(meta, start, end, budget)
  // The positions inside `meta` count from its beginning; it starts with its version.
  const parts = boxesIn(4, meta.length)
  const data = parts.find(({ type }) => type === 'idat')
  const located = readLocations(meta, only(parts, 'iloc'), size, data && { start: box.start + data.start, end: box.start + data.end })
  const properties = parts.filter(({ type }) => type === 'iprp').flatMap((part) => boxesIn(part.start, part.end))
  const described = properties.filter(({ type }) => type === 'ipco').flatMap((part) => boxesIn(part.start, part.end))
  const colour = described.find((part) => part.type === 'colr' && /^(prof|rICC)$/.test(meta.toString('latin1', part.start, part.start + 4)))
  return {
    items: readItems(meta, only(parts, 'iinf'), budget).map((item) => ({ ...item, pieces: located.get(item.id) ?? [] })),
    sizes: described
      .filter(({ type }) => type === 'ispe')
      .map(({ start }) => ({ width: meta.readUInt32BE(start + 4), height: meta.readUInt32BE(start + 8) })),
    iccProfile: colour ? meta.subarray(colour.start + 4, colour.end) : null,
  }
}

async function findMeta(handle: FileHandle, size: number): Promise<Box> {
  for (let at = 0, n = 0; at + 8 <= size && n < 1000; n++) {
    const box = readBox(await bytesAt(handle, at, Math.min(16, size - at)), 0, size - at)
    if (box.type === 'meta') return { type: box.type, start: at + box.start, end: at + box.end }
    at += box.end
  }
  throw new Error('Nothing says what is in the file')
}

/** The box that begins at a position, and ends before `limit`. Its start is that of its content. */
function readBox(bytes: Buffer, at: number, limit: number): Box {
  const type = bytes.toString('latin1', at + 4, at + 8)
  const short = bytes.readUInt32BE(at)
  const [header, size] = short === 1 ? [16, Number(bytes.readBigUInt64BE(at + 8))] : [8, short === 0 ? limit - at : short]
  if (size < header || at + size > limit) throw new Error(`The box ${type} is larger than what it lies in`)
  return { type, start: at + header, end: at + size }
}

function boxesBetween(bytes: Buffer, start: number, end: number, budget: Budget): Box[] {
  const boxes: Box[] = []
  for (let at = start; at + 8 <= end; at = boxes.at(-1)!.end) {
    budget.spend('parts')
    boxes.push(readBox(bytes, at, end))
    if (boxes.length > most.boxes) throw new FileTooComplex('There are too many boxes')
  }
  return boxes
}

function only(boxes: Box[], type: string): Box {
  const box = boxes.find((one) => one.type === type)
  if (!box) throw new Error(`The box ${type} is missing`)
  return box
}

function readItems(meta: Buffer, { start, end }: Box, budget: Budget): Item[] {
  const list = start + (meta.readUInt8(start) === 0 ? 6 : 8)
  return boxesBetween(meta, list, end, budget).flatMap(({ type: box, start: at, end: behind }) => {
    const version = meta.readUInt8(at)
    if (box !== 'infe' || version < 2) return []
    const width = version === 2 ? 2 : 4
    const typeAt = at + 4 + width + 2
    const [, contentType = '', encoding = ''] = meta.toString('latin1', typeAt + 4, behind).split('\0')
    const type = meta.toString('latin1', typeAt, typeAt + 4)
    return [{ id: meta.readUIntBE(at + 4, width), type, contentType, isPacked: encoding !== '' }]
  })
}

function readLocations(meta: Buffer, { start, end }: Box, fileSize: number, data?: Piece): Map<number, Piece[]> {
  const version = meta.readUInt8(start)
  const widths = meta.readUInt16BE(start + 4)
  const [ofOffset, ofLength, ofBase, ofIndex] = [widths >> 12, (widths >> 8) & 15, (widths >> 4) & 15, version === 0 ? 0 : widths & 15]
  let at = start + 6
  const next = (width: number): number => {
    at += width
    if (at > end) throw new Error('The places of the items are cut off')
    return width === 0 ? 0 : width === 8 ? Number(meta.readBigUInt64BE(at - 8)) : meta.readUIntBE(at - width, width)
  }
  const wide = version < 2 ? 2 : 4
  const found = new Map<number, Piece[]>()
  let pieces = 0
  for (let left = next(wide); left > 0; left--) {
    const id = next(wide)
    const method = version === 0 ? 0 : next(2) & 15
    next(2)
    const base = next(ofBase)
    const count = next(2)
    pieces += count
    if (pieces > most.pieces) throw new FileTooComplex('The items lie in too many pieces')
    const within = method === 0 ? { start: 0, end: fileSize } : method === 1 ? data : undefined
    const list = Array.from({ length: count }, () => {
      next(ofIndex)
      const from = (within?.start ?? 0) + base + next(ofOffset)
      const length = next(ofLength)
      return { start: from, end: length === 0 ? (within?.end ?? from) : from + length }
    })
    if (!within) continue // an item made of other items has no bytes of its own
    if (list.some((piece) => piece.end > within.end)) throw new Error('An item lies behind the end of the file')
    found.set(id, list)
  }
  return found
}
