import { fileTypeFromBuffer } from 'file-type'
import { embeddedPicture, contentIdOf, mayBePicture, pictureBudget, pictureKinds, picturesNamed } from './picture-rules.ts'

/** The attachment with a content id. */
export type EmbeddedPicture = { mimeType: string; bytes: Uint8Array }

/**
 * Embeds an email's images into its HTML, because its frame cannot load anything. What is not an image by its bytes, is too large or is
 * missing stays empty.
 * @param html output of sanitiseMail
 * @param read called once per content id, sequentially
 */
export async function embedPictures(html: string, read: (contentId: string) => Promise<EmbeddedPicture | null>): Promise<string> {
  const shown = new Map<string, string>()
  const fits = pictureBudget()
  for (const [id, times] of picturesNamed(html)) {
    const picture = await read(id)
    const kind = picture && (await kindOf(picture))
    if (!kind || !fits(picture.bytes.byteLength, times)) continue
    shown.set(id, `data:${kind};base64,${Buffer.from(picture.bytes).toString('base64')}`)
  }
  return html.replace(embeddedPicture, (whole, before: string, written: string, after: string) => {
    const address = shown.get(contentIdOf(written))
    return address === undefined ? whole : `${before}${address}${after}`
  })
}

async function kindOf({ mimeType, bytes }: EmbeddedPicture): Promise<string | null> {
  if (!mayBePicture(mimeType)) return null
  const known = await fileTypeFromBuffer(bytes).catch(() => undefined)
  const kind = known?.mime === 'image/apng' ? 'image/png' : known?.mime
  return kind !== undefined && pictureKinds.includes(kind) ? kind : null
}
