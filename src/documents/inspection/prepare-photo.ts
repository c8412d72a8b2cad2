import sharp from 'sharp'
import type { FileRefusalCode } from '../contract.ts'
import type { FileKind } from '../rules.ts'
import { measure } from './examine.ts'
import { renderPreview } from './heic-preview.ts'
import { inspectFile } from './inspect.ts'

/** The longer side in pixels: enough for a large screen with some zoom, and for a grid of thumbnails. */
const sides = { screen: 2048, thumbnail: 480 } as const
const quality = { screen: 86, thumbnail: 78 } as const

export type PhotoKind = Extract<FileKind, `image/${string}`>
export type PreparedPhoto = {
  kind: PhotoKind
  /** Of the original, upright. */
  width: number
  height: number
  size: number
  sha256: string
  /** Upright JPEGs with the colours of the original and nothing else of its metadata. */
  screen: Uint8Array
  thumbnail: Uint8Array
}

/** Checks a photo and makes the copies that are shown. The file itself stays as it is. */
export async function preparePhoto({ file, name }: { file: string; name: string }): Promise<PreparedPhoto | { refusal: FileRefusalCode }> {
  const inspected = await inspectFile(file, name)
  if ('refusal' in inspected) return inspected
  const { kind } = inspected
  if (!isPhoto(kind)) return { refusal: 'FILE_TYPE' }
  try {
    const source = kind === 'image/heic' ? await renderPreview(file) : file
    const { data: screen, info } = await sharp(source, { sequentialRead: true, failOn: 'error' })
      .rotate()
      .resize(sides.screen, sides.screen, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .keepIccProfile()
      .jpeg({ quality: quality.screen })
      .toBuffer({ resolveWithObject: true })
    const thumbnail = await sharp(screen)
      .resize(sides.thumbnail, sides.thumbnail, { fit: 'inside', withoutEnlargement: true })
      .keepIccProfile()
      .jpeg({ quality: quality.thumbnail })
      .toBuffer()
    const { width, height } = kind === 'image/heic' ? info : await uprightSize(file)
    return { kind, width, height, ...(await measure(file)), screen, thumbnail }
  } catch {
    return { refusal: 'FILE_BROKEN' }
  }
}

const isPhoto = (kind: FileKind): kind is PhotoKind => kind.startsWith('image/')

async function uprightSize(file: string): Promise<{ width: number; height: number }> {
  const { width, height, orientation = 1 } = await sharp(file).metadata()
  // From 5 on, Exif's orientations lie on a side.
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
