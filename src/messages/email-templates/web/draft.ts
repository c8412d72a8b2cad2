import type { ConsentChannel } from '../../../crm/consent/rules.ts'
import { maxTextLength } from '../../inbox/text-rules.ts'
import { templateMessages } from '../contract.ts'
import { htmlFromText } from '../rules.ts'
import type { TemplateData } from './template-data.ts'

/** What stands in the editor. */
export interface Draft {
  channel: ConsentChannel
  name: string
  category: string
  subject: string
  body: string
  html: string
}

export const emptyDraft: Draft = { channel: 'email', name: '', category: 'general', subject: '', body: '', html: '' }

export const draftOf = ({ channel, name, category, subject, body, variables }: TemplateData): Draft => ({
  channel,
  name,
  category,
  subject,
  body,
  html: variables.html_content ?? '',
})

/** Whether the HTML is just the text in paragraphs. */
export const isFromText = ({ body, html }: Draft): boolean => html.trim() !== '' && html.trim() === htmlFromText(body)

const messages: Partial<Record<keyof Draft, string>> = {
  name: 'Name is required',
  category: 'Category is required',
  subject: 'Subject is required',
  body: 'Body is required',
}

/** Errors for missing fields, by field. A text message has no subject. */
export const problemsOf = (draft: Draft): Partial<Record<keyof Draft, string>> => ({
  ...Object.fromEntries(
    Object.entries(messages).filter(
      ([field]) => draft[field as keyof Draft].trim() === '' && !(draft.channel === 'text' && field === 'subject'),
    ),
  ),
  ...(draft.channel === 'text' && draft.body.length > maxTextLength && { body: templateMessages.tooLong }),
})

export const isSame = (a: Draft, b: Draft): boolean => (Object.keys(a) as (keyof Draft)[]).every((field) => a[field] === b[field])

export const sentOf = ({ channel, name, category, subject, body, html }: Draft) => ({
  name,
  category,
  body,
  ...(channel === 'email' && { subject, variables: { html_content: html.trim() === '' ? null : html } }),
})

/** Replaces the selection with a variable, and returns the new caret position. */
export function withVariable(text: string, name: string, start: number, end: number): { text: string; caret: number } {
  const variable = `{{${name}}}`
  return { text: `${text.slice(0, start)}${variable}${text.slice(end)}`, caret: start + variable.length }
}
