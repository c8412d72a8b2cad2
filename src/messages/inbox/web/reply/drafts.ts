/** What was written in a conversation and not sent. Kept in the tab's own storage, and gone with the tab or with anyone who signs out. */
export interface Draft {
  mode: 'reply' | 'note'
  reply: string
  note: string
  documents: { id: string; name: string }[]
  /** The template whose words it began with. */
  templateId: string | null
  /** It advertises, as someone has ticked; or a template of marketing is among its words. */
  isCommercial: boolean
  isOffer: boolean
  /** Variables of the template that the patient's record has no value for. */
  missing: string[]
}

const keyOf = (id: string) => `refyne.draft.${id}`
/** A reply without words. */
export const noWords = { reply: '', templateId: null, isCommercial: false, isOffer: false, missing: [] }
const blank: Draft = { ...noWords, mode: 'reply', note: '', documents: [] }

export function recallDraft(id: string): Draft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null') as Partial<Draft> | null
    return { ...blank, ...kept }
  } catch {
    return blank
  }
}

/** What is left of a draft when the note or the answer that `sent` was has gone. Words that have changed since stay whole. */
export function withoutSent(now: Draft, sent: Draft): Draft {
  if (sent.mode === 'note') return now.note === sent.note ? { ...now, note: '' } : now
  const documents = now.documents.filter(({ id }) => !sent.documents.some((document) => document.id === id))
  return { ...now, ...(now.reply === sent.reply ? noWords : {}), documents }
}

export function keepDraft(id: string, draft: Draft): void {
  const isBlank = draft.reply.trim() === '' && draft.note.trim() === '' && draft.documents.length === 0
  try {
    if (isBlank) sessionStorage.removeItem(keyOf(id))
    else sessionStorage.setItem(keyOf(id), JSON.stringify(draft))
  } catch {
    // A browser that keeps nothing: then what was written lives as long as the conversation is open.
  }
}
