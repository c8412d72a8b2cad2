import { fileTypeFromBuffer } from 'file-type'
import { carriedPicture, contentIdOf, mayBePicture, pictureBudget, pictureKinds, picturesNamed } from './picture-rules.ts'

/** What came with a mail under a content id. */
export type CarriedPicture = { mimeType: string; bytes: Uint8Array }

/**
 * Puts the pictures that a mail carries into their places. Its frame can load nothing, so they are written into it. What is no picture by its
 * bytes, whatever is said of it, is too large or is not there stays an empty place.
 * @param html what sanitiseMail made.
 * @param read asked once for each content id, one after the other.
 */
export async function embedPictures(html: string, read: (contentId: string) => Promise<CarriedPicture | null>): Promise<string> {
  const shown = new Map<string, string>()
  const fits = pictureBudget()
  for (const [id, times] of picturesNamed(html)) {
    const picture = await read(id)
    const kind = picture && (await kindOf(picture))
    if (!kind || !fits(picture.bytes.byteLength, times)) continue
    shown.set(id, `data:${kind};base64,${Buffer.from(picture.bytes).toString('base64')}`)
  }
  return html.replace(carriedPicture, (whole, before: string, written: string, after: string) => {
    const address = shown.get(contentIdOf(written))
    return address === undefined ? whole : `${before}${address}${after}`
  })
}

async function kindOf({ mimeType, bytes }: CarriedPicture): Promise<string | null> {
  if (!mayBePicture(mimeType)) return null
  const known = await fileTypeFromBuffer(bytes).catch(() => undefined)
  const kind = known?.mime === 'image/apng' ? 'image/png' : known?.mime
  return kind !== undefined && pictureKinds.includes(kind) ? kind : null
}
