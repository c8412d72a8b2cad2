import type { QuickReplyData } from '../inbox-data.ts'

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase('en-CA')

/** The replies whose name or words contain a search, without regard to case and accents: first those in the patient's language. */
export function findReplies(replies: readonly QuickReplyData[], search: string, language: string): QuickReplyData[] {
  const wanted = folded(search.trim())
  return replies
    .filter(({ name, text }) => folded(`${name} ${text}`).includes(wanted))
    .toSorted((a, b) => Number(b.language === language) - Number(a.language === language))
}

/** What is typed after a slash that begins a text, up to a line's end. Null: the text is no search for a quick reply. */
export const searchAfterSlash = (text: string): string | null => /^\/([^\n/]{0,40})$/.exec(text)?.[1] ?? null
