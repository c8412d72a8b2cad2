import type { Env } from '../../kernel/env.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Language } from '../../shared/translations.ts'
import { unsubscribeLink } from '../../crm/consent/service.ts'
import { languageOf } from '../../crm/contacts/service.ts'
import { htmlFromText } from '../email-templates/rules.ts'
import { plainText, withEnd } from './text-rules.ts'
import { inboxTexts } from './texts.ts'

/** The parts of an email that are regenerated when it is sent. */
export type Parts = { textBody: string; htmlBody: string | null; headers: { name: string; value: string }[] }

/** Canada's anti-spam law: a commercial message must include a postal address of its sender. */
export const maySendCommercial = ({ PRACTICE_ADDRESS }: Pick<Env, 'PRACTICE_ADDRESS'>): boolean => PRACTICE_ADDRESS.trim() !== ''

/** A text as it leaves: a commercial one ends with the sender and how to stop, in the patient's language. */
export async function textAsSent(
  db: Db,
  { env }: Pick<Scope, 'env'>,
  { contactId }: { contactId: string | null },
  { text, isCommercial }: { text: string; isCommercial: boolean },
): Promise<string> {
  return isCommercial && contactId !== null ? withTextEnd(env, await languageOf(db, contactId), text) : text
}

/** A commercial text with its end, in this language. */
export const withTextEnd = (env: Env, language: Language, text: string): string => withEnd(text, textEnd(env, language))

/** The line that ends a commercial text. */
export function textEnd(env: Env, language: Language): string {
  const from = [env.PRACTICE_NAME, env.PRACTICE_ADDRESS, env.PRACTICE_PHONE].filter(Boolean).join(', ')
  return plainText(inboxTexts[language]('textEnd', { from }))
}

/** Identifies the sender and explains how to unsubscribe, in text and for the mail program's button (RFC 2369, RFC 8058). */
export function withUnsubscribing(
  env: Env,
  to: { contactId: string; address: string },
  language: Language,
  { textBody, htmlBody, headers }: Parts,
): Parts {
  const t = inboxTexts[language]
  const link = unsubscribeLink(env, to)
  const contact = [env.PRACTICE_ADDRESS, env.PRACTICE_PHONE, env.MAIL_REPLY_TO].filter(Boolean).join(', ')
  const from = t('sentBy', { practice: env.PRACTICE_NAME, contact })
  return {
    textBody: `${textBody.trimEnd()}\n\n-- \n${from}\n${t('unsubscribeAt', { link })}\n`,
    htmlBody: htmlBody === null ? null : withFooter(htmlBody, footer(from, link, t('unsubscribe'))),
    headers: [
      ...headers,
      { name: 'List-Unsubscribe', value: `<${link}>` },
      { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
    ],
  }
}

const footer = (from: string, link: string, label: string): string =>
  `<div style="margin-top:32px;padding-top:12px;border-top:1px solid #d0d0d0;color:#555;font-size:13px">${htmlFromText(from)}<p><a href="${link}">${label}</a></p></div>`

/** Inserted before the end of the document, if the email is one. */
function withFooter(html: string, what: string): string {
  const end = html.search(/<\/body\s*>(?![\s\S]*<\/body\s*>)/i)
  return end < 0 ? `${html}\n${what}` : `${html.slice(0, end)}${what}${html.slice(end)}`
}
