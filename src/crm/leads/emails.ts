import { z } from 'zod'
import { maxOthers } from '../contacts/contact-contract.ts'

/** The maximum length of a contact's email. */
export const maxEmailLength = 254
/** Longer text is not searched for addresses. */
const maxTextLength = 3000

const invisible = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g
const isAddress = (text: string): boolean => text.length <= maxEmailLength && z.email().safeParse(text).success

/**
 * The distinct addresses in a lead's email field, at most as many as a contact can have. People enter 'Ana <a@x.example>',
 * 'mailto:a@x.example', a trailing period or several addresses. Null: part of the text is not an address.
 */
export function readEmails(text: string): [string, ...string[]] | null {
  if (text.length > maxTextLength) return null
  const found = partsOf(text.replace(invisible, '')).map(stripPunctuation)
  const unique = found.filter((one, i) => found.findIndex((other) => other.toLowerCase() === one.toLowerCase()) === i)
  if (unique.length > 1 + maxOthers || !unique.every(isAddress)) return null
  const [first, ...others] = unique
  return first === undefined ? null : [first, ...others]
}

/** Splits text at commas, semicolons and spaces, and drops the name before '<address>'. */
function partsOf(text: string): string[] {
  const bracketed = [...text.matchAll(/<([^<>]*)>/g)].map((match) => match[1]!)
  const hasOnlyNames = !text.replace(/<[^<>]*>/g, ' ').includes('@')
  const parts = bracketed.length > 0 && hasOnlyNames ? bracketed : text.replace(/(^|[,;])[^<>@,;]*<([^<>]*)>/g, '$1 $2 ').split(/[,;\s]+/)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function stripPunctuation(part: string): string {
  return part
    .replace(/^[<("'[]*(mailto:)?[<("[]*/i, '')
    .replace(/\?.*$/s, '') // a subject after mailto:
    .replace(/[.,;:!>)\]"']+$/, '')
}

/** Shortens a lead's email to the maximum length: a list keeps the addresses that fit, other text is truncated with an ellipsis. */
export function fitEmail(text: string): string {
  if (text.length <= maxEmailLength) return text
  let kept = ''
  for (const address of readEmails(text) ?? []) {
    const longer = kept === '' ? address : `${kept}, ${address}`
    if (longer.length > maxEmailLength) return kept
    kept = longer
  }
  return kept === '' ? `${text.slice(0, maxEmailLength - 1).toWellFormed()}…` : kept
}
