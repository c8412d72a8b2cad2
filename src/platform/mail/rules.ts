import { z } from 'zod'
import { accent } from './accent-rules.ts'

const attachment = z.object({ name: z.string(), contentBase64: z.string(), contentType: z.string() })

/** An email to send. */
export const mail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  attachments: z.array(attachment).optional(),
})
export type Mail = z.output<typeof mail>

/** Of phone numbers, `stopped`: it answered STOP; `landline`: its carrier said that it receives no texts. */
export type Suppression = 'bounce' | 'complaint' | 'stopped' | 'landline'

/** Why an address is suppressed, as text after a colon. */
export const suppressionReasons: Record<Suppression, string> = {
  bounce: 'an email to this address bounced permanently',
  complaint: 'the owner of this address has marked an email as spam',
  stopped: 'this number answered STOP',
  landline: 'this number is a landline, or its carrier takes no texts',
}

/**
 * Sender of an email: the practice, by its name (spec 9).
 * @param address the practice's by default; a message keeps the one it was written with
 */
export const senderOf = ({ PRACTICE_NAME, MAIL_FROM }: { PRACTICE_NAME: string; MAIL_FROM: string }, address = MAIL_FROM): string =>
  `"${PRACTICE_NAME.replace(/["\\\r\n]/g, ' ')}" <${address}>`

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (value: string) => value.replace(/[&<>"']/g, (character) => escapes[character]!)

export interface MailLink {
  label: string
  url: string
}

/** A link that stands alone, as a button. */
export const buttonTo = ({ label, url }: MailLink): string =>
  `<p style="margin:14px 0 6px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background-color:${accent};color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`

const codeStyle = ' style="margin:8px 0;font-size:28px;font-weight:600;letter-spacing:4px"'

interface LinkLetter {
  subject: string
  paragraphs: string[]
  /** The paragraph that is to be typed elsewhere, shown large. */
  code?: string
  link?: MailLink | readonly MailLink[]
  closing: string
}

/** A plain email: paragraphs and links, each alone on its line in the text version. */
export function linkMail(to: string, { subject, paragraphs, code, link = [], closing }: LinkLetter): Mail {
  const links = [link].flat()
  const html = [
    ...paragraphs.map((paragraph) => `<p${paragraph === code ? codeStyle : ''}>${linesInHtml(paragraph)}</p>`),
    ...links.map(buttonTo),
    `<p>${linesInHtml(closing)}</p>`,
  ].join('\n')
  return { to, subject, text: [...paragraphs, ...links.map(({ label, url }) => `${label}\n${url}`), closing].join('\n\n'), html }
}

const linesInHtml = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')

/** What an email says below the words of its template. */
export interface MailSection {
  /** Not shown without lines. */
  title: string
  lines: readonly string[]
  /** Left out of the text if that has the address already. */
  link?: MailLink | null
}

const titleOf = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [title])

const boxStyle = 'margin:16px 0;padding:16px 20px;border:1px solid #d9dcd6;border-radius:10px'

/** Adds sections below an email that the practice has written, each in a box with its title, its lines and its link. */
export function withSections<Written extends Pick<Mail, 'text' | 'html'>>(mail: Written, sections: readonly MailSection[]): Written {
  const shown = sections.filter(({ lines, link }) => lines.length > 0 || link)
  if (shown.length === 0) return mail
  const text = shown
    .map(({ title, lines, link }) => {
      const address = link && !mail.text.includes(link.url) ? [`${link.label}\n${link.url}`] : []
      return [...titleOf(title, lines), ...lines, ...address].join('\n')
    })
    .filter(Boolean)
  const html = shown.map(({ title, lines, link }) => {
    const heads = titleOf(title, lines).map((one) => `<p style="margin:0 0 8px;font-weight:600">${escapeHtml(one)}</p>`)
    const words = lines.map((line) => `<p style="margin:0 0 8px">${escapeHtml(line)}</p>`)
    const button = link ? buttonTo(link) : ''
    return words.length > 0 ? `<div style="${boxStyle}">${[...heads, ...words].join('')}${button}</div>` : button
  })
  return { ...mail, text: [mail.text, ...text].join('\n\n'), html: `${mail.html}\n${html.join('\n')}` }
}

/** A text-only email as typed: empty lines separate paragraphs. */
export function plainMail(to: string, { subject, text }: { subject: string; text: string }, attachments: Mail['attachments'] = []): Mail {
  const paragraphs = text.split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/)
  const html = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replace(/\r?\n/g, '<br>\n')}</p>`).join('\n')
  return { to, subject, text, html, attachments }
}

/** Normalizes an address for comparison. */
export const addressKey = (address: string): string => address.trim().toLocaleLowerCase('en-CA')
