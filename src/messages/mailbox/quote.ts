import { format } from 'date-fns/format'
import { tz } from '@date-fns/tz'
import type { MailMessage } from '../../integrations/mailbox/mailbox.ts'
import type { DraftKind, Person } from './rules.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!)
const htmlOf = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>\n')

const nameOf = ({ name, email }: Person): string => (name ? `${name} <${email}>` : email)
const namesOf = (people: readonly Person[]): string => people.map(nameOf).join(', ')

/** The quoted email: its text, and its sanitized HTML. */
export type Quoted = Pick<MailMessage, 'from' | 'to' | 'cc' | 'date' | 'subject'> & { text: string; html: string | null }

/** The text with the quoted or forwarded email below, as plain text and HTML. */
export function written(
  words: { text: string; html: string | null },
  kind: DraftKind,
  quoted: Quoted | null,
  zone: string,
): { text: string; html: string } {
  const { text } = words
  const own = `<div>${words.html ?? htmlOf(text)}</div>`
  if (!quoted) return { text, html: own }
  const at = format(quoted.date, "EEE, MMM d, yyyy 'at' h:mm a", { in: tz(zone) })
  const sent = quoted.html ?? htmlOf(quoted.text)
  if (kind === 'forward') {
    const head = [
      '---------- Forwarded message ----------',
      ...(quoted.from ? [`From: ${nameOf(quoted.from)}`] : []),
      `Date: ${at}`,
      `Subject: ${quoted.subject}`,
      `To: ${namesOf(quoted.to)}`,
      ...(quoted.cc.length > 0 ? [`Cc: ${namesOf(quoted.cc)}`] : []),
    ]
    return {
      text: [text, '', ...head, '', quoted.text].join('\n'),
      html: `${own}<br>\n<div>${head.map(escapeHtml).join('<br>\n')}</div><br>\n<div>${sent}</div>`,
    }
  }
  const head = `On ${at}, ${quoted.from ? nameOf(quoted.from) : 'somebody'} wrote:`
  return {
    text: [text, '', head, ...quoted.text.split(/\r?\n/).map((line) => `> ${line}`)].join('\n'),
    html: `${own}<br>\n<div>${escapeHtml(head)}</div>\n<blockquote style="margin: 0 0 0 8px; padding-left: 12px; border-left: 2px solid #d0d0d0">${sent}</blockquote>`,
  }
}
