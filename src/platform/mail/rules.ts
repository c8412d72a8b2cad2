import { z } from 'zod'

const attachment = z.object({ name: z.string(), contentBase64: z.string(), contentType: z.string() })

/** A mail that is to be sent. */
export const mail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  attachments: z.array(attachment).optional(),
})
export type Mail = z.output<typeof mail>

export type Suppression = 'bounce' | 'complaint'

/** Why no mail goes to an address any more, behind a colon. */
export const suppressionWords: Record<Suppression, string> = {
  bounce: 'an email to this address bounced permanently',
  complaint: 'the owner of this address has marked an email as spam',
}

/** Who a mail is from: the practice, by its name (spec 9). @param address of the practice unless told otherwise; a message keeps the one it was written with. */
export const senderOf = ({ PRACTICE_NAME, MAIL_FROM }: { PRACTICE_NAME: string; MAIL_FROM: string }, address = MAIL_FROM): string =>
  `"${PRACTICE_NAME.replace(/["\\\r\n]/g, ' ')}" <${address}>`

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (value: string) => value.replace(/[&<>"']/g, (character) => escapes[character]!)

/** A plain mail: a greeting, some paragraphs, one link. The link stands alone on its line in the text. */
export function linkMail(
  to: string,
  letter: { subject: string; paragraphs: string[]; link: { label: string; url: string }; closing: string },
): Mail {
  const { subject, paragraphs, link, closing } = letter
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`,
    `<p>${escapeHtml(closing)}</p>`,
  ].join('\n')
  return { to, subject, text: [...paragraphs, `${link.label}:\n${link.url}`, closing].join('\n\n'), html }
}

/** A mail of words alone, as they were typed: an empty line parts paragraphs. */
export function plainMail(to: string, { subject, text }: { subject: string; text: string }, attachments: Mail['attachments'] = []): Mail {
  const paragraphs = text.split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/)
  const html = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replace(/\r?\n/g, '<br>\n')}</p>`).join('\n')
  return { to, subject, text, html, attachments }
}

/** An address for comparing. */
export const addressKey = (address: string): string => address.trim().toLocaleLowerCase('en-CA')
