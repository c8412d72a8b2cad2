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

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (value: string) => value.replace(/[&<>"']/g, (character) => escapes[character]!)

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
