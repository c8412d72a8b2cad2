/** Parts of an email in Gmail's format: a tree with text, files or other parts as leaves. */
import type { MailAttachment } from '../mailbox.ts'
import { charsetIn, decodedWords, escaped, textOf } from '../mime.ts'

export type Part = {
  /** '0.1' is the second part of the first; the root is ''. Unlike Gmail's file ids, it is stable. */
  partId: string
  mimeType: string
  filename: string
  headers: { name: string; value: string }[]
  /** `data` is base64url; large data is fetched by its `attachmentId`. */
  body: { attachmentId?: string | undefined; size: number; data?: string | undefined }
  parts: Part[]
}

export type Words = { text: string | null; html: string | null }

/** The part id of an email that consists of one file. */
const wholeId = 'whole'
const idOf = ({ partId }: Part): string => partId || wholeId

const headerOf = ({ headers }: Part, name: string): string => headers.find((header) => header.name.toLowerCase() === name)?.value ?? ''
const isText = ({ mimeType }: Part): boolean => mimeType === 'text/plain' || mimeType === 'text/html'
/** An attached email is a file: its parts do not belong to this one. */
const isLeaf = ({ mimeType, parts }: Part): boolean => !mimeType.startsWith('multipart/') || parts.length === 0

function isFile(part: Part): boolean {
  if (!isLeaf(part) || part.mimeType.startsWith('multipart/')) return false
  if (part.filename !== '' || /^\s*attachment/i.test(headerOf(part, 'content-disposition'))) return true
  // Alternative versions of the text are not files; an appointment is.
  return !part.mimeType.startsWith('text/') ? part.mimeType !== '' : part.mimeType === 'text/calendar'
}

const leaves = (part: Part): Part[] => (isLeaf(part) ? [part] : part.parts.flatMap(leaves))

/** Text that the response omits because of its size. */
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

/** The simplest text and the richest HTML among alternatives; all parts of a mixed email. */
export function wordsOf(part: Part): Words {
  if (isFile(part)) return { text: null, html: null }
  if (isLeaf(part)) {
    const content = isText(part) ? textOf(Buffer.from(part.body.data ?? '', 'base64url'), charsetIn(headerOf(part, 'content-type'))) : null
    return part.mimeType === 'text/html' ? { text: null, html: content } : { text: content, html: null }
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
