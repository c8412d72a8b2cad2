import { LRUCache } from 'lru-cache'
import type { MailAttachment, MailMessage } from '../../integrations/mailbox/mailbox.ts'
import { picturesShown } from '../../platform/mail/picture-rules.ts'
import { sanitiseMail } from '../../platform/mail/service.ts'

/** A mail's HTML once it is harmless, and what came with it. `isShown`: it is one of the pictures among the words. */
export type Body = { html: string | null; remoteImages: number; attachments: (MailAttachment & { isShown: boolean })[] }

/** A mail never changes. Characters of all that is kept, and milliseconds: anyone who reads a thread asks for each mail's frame at once. */
const kept = new LRUCache<string, Body>({ maxSize: 32_000_000, sizeCalculation: ({ html }) => 200 + (html?.length ?? 0), ttl: 10 * 60_000 })

/** @param connectionId whose mailbox: what one person has opened is not another's. */
const keyOf = (connectionId: string, messageId: string): string => `${connectionId} ${messageId}`

export const bodyKept = (connectionId: string, messageId: string): Body | undefined => kept.get(keyOf(connectionId, messageId))

/** Makes a mail harmless, or takes what was made of it a moment ago. */
export async function bodyOf(connectionId: string, { id, html, attachments }: MailMessage): Promise<Body> {
  const known = bodyKept(connectionId, id)
  if (known) return known
  const safe = html === null ? null : await sanitiseMail(html)
  const pictures = new Set(picturesShown(safe?.html ?? null, attachments).values())
  const body = {
    html: safe?.html ?? null,
    remoteImages: safe?.remoteImages ?? 0,
    attachments: attachments.map((attachment) => ({ ...attachment, isShown: pictures.has(attachment) })),
  }
  kept.set(keyOf(connectionId, id), body)
  return body
}
