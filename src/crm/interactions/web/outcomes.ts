import type { CallOutcome } from '../contract.ts'

/** Call outcomes in the composer. */
export const outcomeLabels: Record<CallOutcome, string> = { reached: 'Reached', voicemail: 'Voicemail', no_answer: 'No answer' }

/** The description of a call logged without notes, as most unanswered calls are. The timeline does not repeat it. */
export const defaultDescriptions: Record<CallOutcome, string> = {
  reached: 'Reached by phone',
  voicemail: 'Left a voicemail',
  no_answer: 'No answer',
}
