import type { CallOutcome } from '../contract.ts'

export interface Draft {
  mode: 'call' | 'note'
  outcome: CallOutcome
  text: string
}

// In memory only: what is written about a patient is never left behind in a browser. Signing out loads the document again.
const drafts = new Map<string, Draft>()

const blank: Draft = { mode: 'call', outcome: 'reached', text: '' }

/** What was begun about a patient and not sent. */
export const recallDraft = (contactId: string): Draft => drafts.get(contactId) ?? blank

export function keepDraft(contactId: string, draft: Draft): void {
  if (draft.text.trim() === '') drafts.delete(contactId)
  else drafts.set(contactId, draft)
}

export const dropDraft = (contactId: string): boolean => drafts.delete(contactId)
