/** A mail's parts, as Gmail hands them on: a tree in which each leaf is words, a file or something that is neither. */
import type { MailAttachment } from './mailbox.ts'
import { charsetIn, decodedWords, escaped, textOf } from './mime.ts'

export type Part = {
  /** '0.1' is the second of the first; the whole has ''. Unlike Gmail's ids of files it is always the same. */
  partId: string
  mimeType: string
  filename: string
  headers: { name: string; value: string }[]
  /** `data` in base64url; what is large is fetched by its `attachmentId`. */
  body: { attachmentId?: string | undefined; size: number; data?: string | undefined }
  parts: Part[]
}

export type Words = { text: string | null; html: string | null }

/** The id of a mail that is a file altogether. */
const wholeId = 'whole'
const idOf = ({ partId }: Part): string => partId || wholeId

const headerOf = ({ headers }: Part, name: string): string => headers.find((header) => header.name.toLowerCase() === name)?.value ?? ''
const isText = ({ mimeType }: Part): boolean => mimeType === 'text/plain' || mimeType === 'text/html'
/** A mail within a mail is a file: its own parts are no parts of this one. */
const isLeaf = ({ mimeType, parts }: Part): boolean => !mimeType.startsWith('multipart/') || parts.length === 0

function isFile(part: Part): boolean {
  if (!isLeaf(part) || part.mimeType.startsWith('multipart/')) return false
  if (part.filename !== '' || /^\s*attachment/i.test(headerOf(part, 'content-disposition'))) return true
  // Other ways to say the same, for other programs, are no files; an appointment is.
  return !part.mimeType.startsWith('text/') ? part.mimeType !== '' : part.mimeType === 'text/calendar'
}

const leaves = (part: Part): Part[] => (isLeaf(part) ? [part] : part.parts.flatMap(leaves))

/** Words that are not in the answer because there are so many. */
export const distantTexts = (part: Part): Part[] =>
  leaves(part).filter((leaf) => isText(leaf) && !isFile(leaf) && leaf.body.data === undefined && leaf.body.attachmentId !== undefined)

export const fileNamed = (part: Part, id: string): Part | undefined => leaves(part).find((leaf) => isFile(leaf) && idOf(leaf) === id)

export function filesOf(part: Part): MailAttachment[] {
  return leaves(part)
    .filter(isFile)
    .map((leaf) => ({
      id: idOf(leaf),
      name: decodedWords(leaf.filename) || nameFor(leaf.mimeType),
      mimeType: leaf.mimeType,
      size: leaf.body.size,
      contentId: headerOf(leaf, 'content-id').trim().replace(/^<|>$/g, '') || null,
    }))
}

function nameFor(mimeType: string): string {
  if (mimeType === 'text/calendar') return 'invite.ics'
  return mimeType === 'message/rfc822' ? 'message.eml' : 'unnamed'
}

/** Of alternatives the plainest text and the richest HTML; of what stands one below the other, all of it. */
export function wordsOf(part: Part): Words {
  if (isFile(part)) return { text: null, html: null }
  if (isLeaf(part)) {
    const said = isText(part) ? textOf(Buffer.from(part.body.data ?? '', 'base64url'), charsetIn(headerOf(part, 'content-type'))) : null
    return part.mimeType === 'text/html' ? { text: null, html: said } : { text: said, html: null }
  }
  const each = part.parts.map(wordsOf).filter(({ text, html }) => text !== null || html !== null)
  if (part.mimeType === 'multipart/alternative') {
    return {
      text: each.find(({ text }) => text !== null)?.text ?? null,
      html: each.findLast(({ html }) => html !== null)?.html ?? null,
    }
  }
  const texts = each.flatMap(({ text }) => text ?? [])
  return {
    text: texts.length > 0 && texts.length === each.length ? texts.join('\n') : null,
    html: each.some(({ html }) => html !== null) ? each.map(({ text, html }) => html ?? asHtml(text ?? '')).join('\n') : null,
  }
}

const asHtml = (text: string): string => `<div style="white-space: pre-wrap">${escaped(text)}</div>`
