import type { Entry } from './entry.ts'
import { defaultDescriptions } from './outcomes.ts'
import type { ReceiptNote } from './receipt-note.ts'

/** A part of a sentence; names are shown in bold. */
export type Part = string | { strong: string }

export interface Sentence {
  summary: Part[]
  /** The body of the entry, if there is more than the summary. */
  text: string | null
}

interface DescriptionContext {
  /** The author; null for the system. */
  who: string | null
  /** The patient's first name. */
  patient: string
  /** For a stage move: the new stage, and the time in the previous one. */
  stage: string | null
  stayed: string | null
  /** Why a lead was lost, if a reason was given. */
  lostReason: string | null
  receipt?: ReceiptNote | null
}

/** Describes a timeline entry: one sentence about who did what, then the text. */
export function describeEntry(
  entry: Pick<Entry, 'type' | 'description' | 'outcome'> & Partial<Pick<Entry, 'metadata'>>,
  context: DescriptionContext,
): Sentence {
  const { type, description, outcome, metadata } = entry
  const { who, patient } = context
  const direction = type === 'email' ? entry.metadata?.direction : undefined
  // The correspondent of an email about the patient, who may be someone else.
  const person = type === 'email' && typeof entry.metadata?.person === 'string' ? entry.metadata.person : null
  if (type === 'call') return { summary: [{ strong: who ?? 'The clinic' }, describeCall(outcome, patient)], text: callNotes(entry) }
  if (who !== null && type === 'note') return { summary: [{ strong: who }, ' added a note'], text: description }
  if (direction === 'inbound')
    return { summary: [{ strong: person ?? patient }, metadata?.channel === 'sms' ? ' texted' : ' wrote'], text: description }
  const wrote = metadata?.channel === 'sms' ? 'texted' : 'emailed'
  if (who === null && direction === 'outbound') return { summary: [{ strong: 'The clinic' }, ` ${wrote} ${patient}`], text: description }
  if (who !== null && type === 'email') return { summary: [{ strong: who }, ` ${wrote} ${person ?? patient}`], text: description }
  // Calendar events of an appointment, and entries about the waiting list, are not meetings.
  const isAppointmentEvent = typeof metadata?.appointmentId === 'string' || typeof metadata?.waitingEntryId === 'string'
  if (who !== null && type === 'meeting' && !isAppointmentEvent) return { summary: [{ strong: who }, ` met ${patient}`], text: description }
  if (context.receipt) {
    const { isRefund, number, items } = context.receipt
    return { summary: [isRefund ? 'Refund receipt ' : 'Sales receipt ', { strong: number }, `, ${items}`], text: null }
  }
  if (context.stage !== null && isMove(type)) return { summary: describeMove(context.stage, context), text: context.lostReason }
  return { summary: who === null ? [description] : [description, isAction(type) ? ' by ' : ' · ', { strong: who }], text: null }
}

const isMove = (type: Entry['type']): boolean => ['stage_change', 'stage_changed', 'consult_booked', 'surgery_booked'].includes(type)

/** Whether the description ends in an action ('Phone changed') that 'by' and the author can follow, unlike a task's title or a receipt. */
const isAction = (type: Entry['type']): boolean =>
  isMove(type) || ['contact_created', 'contact_updated', 'contact_merged', 'tag', 'tag_added'].includes(type)

function describeCall(outcome: Entry['outcome'], patient: string): string {
  if (outcome === 'reached') return ` reached ${patient} by phone`
  if (outcome === 'voicemail') return ` left ${patient} a voicemail`
  return outcome === 'no_answer' ? ` called ${patient}, no answer` : ` called ${patient}`
}

const callNotes = ({ description, outcome }: Pick<Entry, 'description' | 'outcome'>): string | null =>
  outcome !== null && description === defaultDescriptions[outcome] ? null : description

function describeMove(stage: string, { who, stayed }: DescriptionContext): Part[] {
  const after = stayed === null ? [] : [` after ${stayed}`]
  return who === null
    ? ['Stage changed to ', { strong: stage }, ...after]
    : [{ strong: who }, ' changed the stage to ', { strong: stage }, ...after]
}
