import { LRUCache } from 'lru-cache'
import type { MailAttachment, MailMessage } from '../../integrations/mailbox/mailbox.ts'
import { picturesShown } from '../../platform/mail/picture-rules.ts'
import { sanitiseMail } from '../../platform/mail/service.ts'

/** An email's sanitized HTML and its attachments. `isShown`: the image appears inline. */
export type Body = { html: string | null; remoteImages: number; attachments: (MailAttachment & { isShown: boolean })[] }

/**
 * Emails never change, so they are cached: limits in characters and milliseconds. The reader of a thread requests every email's frame at
 * once.
 */
const kept = new LRUCache<string, Body>({ maxSize: 32_000_000, sizeCalculation: ({ html }) => 200 + (html?.length ?? 0), ttl: 10 * 60_000 })

/** @param connectionId the mailbox: one person's cache is not shared with another. */
const keyOf = (connectionId: string, messageId: string): string => `${connectionId} ${messageId}`

export const bodyKept = (connectionId: string, messageId: string): Body | undefined => kept.get(keyOf(connectionId, messageId))

/** Sanitizes an email, or returns the cached result. */
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
