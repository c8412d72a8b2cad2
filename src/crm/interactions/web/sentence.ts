import type { Entry } from './entry.ts'
import { unspoken } from './outcomes.ts'
import type { ReceiptNote } from './receipt-note.ts'

/** A piece of a sentence; names are strong. */
export type Part = string | { strong: string }

export interface Sentence {
  summary: Part[]
  /** What was said or written, when the summary does not say it all. */
  text: string | null
}

interface Around {
  /** Who did it; null when the system did. */
  who: string | null
  /** The patient's first name. */
  patient: string
  /** Of a move: the stage it led to, and how long the patient had been in the one before. */
  stage: string | null
  stayed: string | null
  /** Why a lead was lost, when it was moved there for a reason. */
  lostReason: string | null
  receipt?: ReceiptNote | null
}

/** What an entry of the timeline says: who did what in one sentence, then what was said. */
export function sentenceOf(
  entry: Pick<Entry, 'type' | 'description' | 'outcome'> & Partial<Pick<Entry, 'metadata'>>,
  around: Around,
): Sentence {
  const { type, description, outcome, metadata } = entry
  const { who, patient } = around
  const direction = type === 'email' ? entry.metadata?.direction : undefined
  // Of a mail that is about the patient, with someone else perhaps.
  const person = type === 'email' && typeof entry.metadata?.person === 'string' ? entry.metadata.person : null
  if (type === 'call') return { summary: [{ strong: who ?? 'The clinic' }, called(outcome, patient)], text: spoken(entry) }
  if (who !== null && type === 'note') return { summary: [{ strong: who }, ' added a note'], text: description }
  if (direction === 'inbound') return { summary: [{ strong: person ?? patient }, ' wrote'], text: description }
  if (who === null && direction === 'outbound') return { summary: [{ strong: 'The clinic' }, ` emailed ${patient}`], text: description }
  if (who !== null && type === 'email') return { summary: [{ strong: who }, ` emailed ${person ?? patient}`], text: description }
  // What becomes of an appointment is no meeting yet.
  const isOfCalendar = typeof metadata?.appointmentId === 'string'
  if (who !== null && type === 'meeting' && !isOfCalendar) return { summary: [{ strong: who }, ` met ${patient}`], text: description }
  if (around.receipt) {
    const { isRefund, number, items } = around.receipt
    return { summary: [isRefund ? 'Refund receipt ' : 'Sales receipt ', { strong: number }, `, ${items}`], text: null }
  }
  if (around.stage !== null && isMove(type)) return { summary: moved(around.stage, around), text: around.lostReason }
  return { summary: who === null ? [description] : [description, isAction(type) ? ' by ' : ' · ', { strong: who }], text: null }
}

const isMove = (type: Entry['type']): boolean => ['stage_change', 'stage_changed', 'consult_booked', 'surgery_booked'].includes(type)

/** What was noted ends in an action ('Phone changed'), so that who did it can follow; a task's title or a receipt is a thing. */
const isAction = (type: Entry['type']): boolean =>
  isMove(type) || ['contact_created', 'contact_updated', 'contact_merged', 'tag', 'tag_added'].includes(type)

function called(outcome: Entry['outcome'], patient: string): string {
  if (outcome === 'reached') return ` reached ${patient} by phone`
  if (outcome === 'voicemail') return ` left ${patient} a voicemail`
  return outcome === 'no_answer' ? ` called ${patient}, no answer` : ` called ${patient}`
}

const spoken = ({ description, outcome }: Pick<Entry, 'description' | 'outcome'>): string | null =>
  outcome !== null && description === unspoken[outcome] ? null : description

function moved(stage: string, { who, stayed }: Around): Part[] {
  const after = stayed === null ? [] : [` after ${stayed}`]
  return who === null
    ? ['Stage moved to ', { strong: stage }, ...after]
    : [{ strong: who }, ' moved the stage to ', { strong: stage }, ...after]
}
