import type { CallOutcome } from '../contract.ts'

/** What the composer offers after a call. */
export const outcomeLabels: Record<CallOutcome, string> = { reached: 'Reached', voicemail: 'Voicemail', no_answer: 'No answer' }

/** Stands for what was said when nothing was written: most calls that no one answers need no words. The timeline does not repeat it. */
export const unspoken: Record<CallOutcome, string> = {
  reached: 'Reached by phone',
  voicemail: 'Left a voicemail',
  no_answer: 'No answer',
}
