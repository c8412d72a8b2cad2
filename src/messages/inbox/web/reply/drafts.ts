import type { Channel } from '../../rules.ts'

/** Unsent text of a conversation. Kept in the tab's session storage, and deleted with the tab or on sign-out. */
export interface Draft {
  mode: 'reply' | 'note'
  /** Where it goes, as chosen. Null: as the patient wrote last. */
  channel: Channel | null
  address: string | null
  /** Of an email, as typed. Null: of the thread that it continues. */
  subject: string | null
  reply: string
  /** The reply with its formatting, as an email. Null: written as plain text. */
  html: string | null
  /** Sent without the author's signature. */
  isUnsigned: boolean
  note: string
  documents: { id: string; name: string }[]
  /** The template that the text started from. */
  templateId: string | null
  /** Marketing, either set by hand or because of a marketing template. */
  isCommercial: boolean
  isOffer: boolean
  /** Variables of the template that the patient's record has no value for. */
  missing: string[]
}

const keyOf = (id: string) => `refyne.draft.${id}`
/** A reply without words. */
export const noWords = {
  reply: '',
  html: null,
  isUnsigned: false,
  subject: null,
  templateId: null,
  isCommercial: false,
  isOffer: false,
  missing: [],
}
const blank: Draft = { ...noWords, mode: 'reply', channel: null, address: null, note: '', documents: [] }

export function recallDraft(id: string): Draft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null') as Partial<Draft> | null
    return { ...blank, ...kept }
  } catch {
    return blank
  }
}

/** What remains of a draft after the note or reply `sent` was sent. Text that has changed since is kept. */
export function withoutSent(now: Draft, sent: Draft): Draft {
  if (sent.mode === 'note') return now.note === sent.note ? { ...now, note: '' } : now
  const documents = now.documents.filter(({ id }) => !sent.documents.some((document) => document.id === id))
  return { ...now, ...(now.reply === sent.reply && now.html === sent.html ? noWords : {}), documents }
}

export function keepDraft(id: string, draft: Draft): void {
  const isBlank = draft.reply.trim() === '' && draft.note.trim() === '' && draft.documents.length === 0
  try {
    if (isBlank) sessionStorage.removeItem(keyOf(id))
    else sessionStorage.setItem(keyOf(id), JSON.stringify(draft))
  } catch {
    // Without browser storage, the text lasts as long as the conversation is open.
  }
}
