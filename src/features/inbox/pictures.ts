import type { Scope } from '../../server/scope.ts'
import { pictureBudget, pictureKinds, picturesNamed } from '../mail/picture-rules.ts'
import type { CarriedPicture } from '../mail/service.ts'
import type { attachmentsOf } from './attachments.ts'

type Attachment = Awaited<ReturnType<typeof attachmentsOf>>[number]

/** Those of a message's attachments that its own HTML shows in its words, by the content id. Nothing is shown before it was looked at for malware. */
export function picturesShown(
  { env }: Pick<Scope, 'env'>,
  html: string | null,
  attachments: readonly Attachment[],
): Map<string, Attachment> {
  const shown = new Map<string, Attachment>()
  if (html === null || attachments.every(({ contentId }) => contentId === null)) return shown
  const isClean = ({ scanState }: Attachment) => (scanState === null ? !env.CLAMD_URL : scanState === 'clean' || scanState === 'off')
  const fits = pictureBudget()
  for (const [id, times] of picturesNamed(html)) {
    const picture = attachments.find(({ contentId }) => contentId === id)
    if (!picture?.storageKey || !pictureKinds.includes(picture.mimeType) || !isClean(picture)) continue
    if (fits(picture.size, times)) shown.set(id, picture)
  }
  return shown
}

/** Null: its bytes are gone. */
export async function readPicture({ files }: Pick<Scope, 'files'>, { storageKey, mimeType }: Attachment): Promise<CarriedPicture | null> {
  const file = storageKey === null ? null : await files.get(storageKey)
  return file && { mimeType, bytes: new Uint8Array(await new Response(file.bytes).arrayBuffer()) }
}
