import type { Scope } from '../../../kernel/scope.ts'
import { picturesShown } from '../../../platform/mail/picture-rules.ts'
import type { EmbeddedPicture } from '../../../platform/mail/service.ts'
import type { attachmentsOf } from './attachments.ts'

type Attachment = Awaited<ReturnType<typeof attachmentsOf>>[number]

/** The attachments that the message's own HTML shows. Nothing is shown before the malware scan. */
export const picturesShownIn = (
  { env }: Pick<Scope, 'env'>,
  html: string | null,
  attachments: readonly Attachment[],
): Map<string, Attachment> => {
  const isClean = ({ scanState, isOwn }: Attachment) =>
    isOwn || (scanState === null ? !env.CLAMD_URL : scanState === 'clean' || scanState === 'off')
  return picturesShown(html, attachments, (picture) => picture.storageKey !== null && isClean(picture))
}

/** Null: its bytes were deleted. */
export async function readPicture({ files }: Pick<Scope, 'files'>, { storageKey, mimeType }: Attachment): Promise<EmbeddedPicture | null> {
  const file = storageKey === null ? null : await files.get(storageKey)
  return file && { mimeType, bytes: new Uint8Array(await new Response(file.bytes).arrayBuffer()) }
}
