import type { CallOutcome } from '../contract.ts'

export interface Draft {
  mode: 'call' | 'note'
  outcome: CallOutcome
  text: string
}

// In memory only, so that no patient data is left behind in the browser. Signing out reloads the document.
const drafts = new Map<string, Draft>()

const emptyDraft: Draft = { mode: 'call', outcome: 'reached', text: '' }

/** The unsent draft for a patient, or an empty one. */
export const loadDraft = (contactId: string): Draft => drafts.get(contactId) ?? emptyDraft

export function saveDraft(contactId: string, draft: Draft): void {
  if (draft.text.trim() === '') drafts.delete(contactId)
  else drafts.set(contactId, draft)
}

export const deleteDraft = (contactId: string): boolean => drafts.delete(contactId)
