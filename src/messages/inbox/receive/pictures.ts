import type { Scope } from '../../../kernel/scope.ts'
import { picturesShown } from '../../../platform/mail/picture-rules.ts'
import type { CarriedPicture } from '../../../platform/mail/service.ts'
import type { attachmentsOf } from './attachments.ts'

type Attachment = Awaited<ReturnType<typeof attachmentsOf>>[number]

/** Those of a message's attachments that its own HTML shows. Nothing is shown before it was looked at for malware. */
export const picturesShownIn = (
  { env }: Pick<Scope, 'env'>,
  html: string | null,
  attachments: readonly Attachment[],
): Map<string, Attachment> => {
  const isClean = ({ scanState }: Attachment) => (scanState === null ? !env.CLAMD_URL : scanState === 'clean' || scanState === 'off')
  return picturesShown(html, attachments, (picture) => picture.storageKey !== null && isClean(picture))
}

/** Null: its bytes are gone. */
export async function readPicture({ files }: Pick<Scope, 'files'>, { storageKey, mimeType }: Attachment): Promise<CarriedPicture | null> {
  const file = storageKey === null ? null : await files.get(storageKey)
  return file && { mimeType, bytes: new Uint8Array(await new Response(file.bytes).arrayBuffer()) }
}
