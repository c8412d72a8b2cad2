import { z } from 'zod'

/** A mail that is to be sent. */
export const mail = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() })
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
