import { z } from 'zod'
import { maxOthers } from '../contacts/contract.ts'

/** A contact's email has at most so many characters. */
export const maxEmail = 254
/** A longer text is not searched for addresses. */
const maxText = 3000

const invisible = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g
const isAddress = (text: string): boolean => text.length <= maxEmail && z.email().safeParse(text).success

/**
 * The addresses in a lead's email, each once, at least one and at most as many as a contact can have. People write 'Ana <a@x.example>',
 * 'mailto:a@x.example', a full stop at the end, or several addresses. Null: some of the text is not an address.
 */
export function readEmails(text: string): [string, ...string[]] | null {
  if (text.length > maxText) return null
  const found = partsOf(text.replace(invisible, '')).map(tidied)
  const once = found.filter((one, i) => found.findIndex((other) => other.toLowerCase() === one.toLowerCase()) === i)
  if (once.length > 1 + maxOthers || !once.every(isAddress)) return null
  const [first, ...others] = once
  return first === undefined ? null : [first, ...others]
}

/** What a text separates with commas, semicolons and spaces; the name before '<address>' is left out. */
function partsOf(text: string): string[] {
  const bracketed = [...text.matchAll(/<([^<>]*)>/g)].map((match) => match[1]!)
  const hasOnlyNames = !text.replace(/<[^<>]*>/g, ' ').includes('@')
  const parts = bracketed.length > 0 && hasOnlyNames ? bracketed : text.replace(/(^|[,;])[^<>@,;]*<([^<>]*)>/g, '$1 $2 ').split(/[,;\s]+/)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function tidied(part: string): string {
  return part
    .replace(/^[<("'[]*(mailto:)?[<("[]*/i, '')
    .replace(/\?.*$/s, '') // a subject after mailto:
    .replace(/[.,;:!>)\]"']+$/, '')
}

/** A lead's email within the size of a contact's: a longer list keeps the addresses that fit, and anything else is visibly cut. */
export function fitEmail(text: string): string {
  if (text.length <= maxEmail) return text
  let kept = ''
  for (const address of readEmails(text) ?? []) {
    const longer = kept === '' ? address : `${kept}, ${address}`
    if (longer.length > maxEmail) return kept
    kept = longer
  }
  return kept === '' ? `${text.slice(0, maxEmail - 1).toWellFormed()}…` : kept
}
