import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'

export const consultMessages = { type: 'Type is required', reason: 'Reason is required' } as const

/** Appends a dated line to a text, unless the text already contains it. */
function withLine(text: string | null, day: string, line: string): string {
  const before = text?.trimEnd() ?? ''
  const dated = `${format(parseISO(day), 'MMM d, yyyy')}: ${line}`
  return before.split('\n').includes(dated) ? before : `${before}${before && '\n'}${dated}`
}

const inParentheses = (type: string | null): string => (type ? ` (${type})` : '')

interface Consult {
  requiresSpecialistConsult: boolean
  specialistConsultType: string | null
  specialistConsultReason: string | null
  specialistResultsReceived: boolean
  specialistResultsDate: string | null
  specialistNotes: string | null
  notes: string | null
}

type Noted = Pick<Consult, 'notes' | 'specialistConsultType' | 'specialistConsultReason'>

/** Adds a note that a specialist consult is required, with day, type and reason (spec 4). `day` is today at the practice. */
export function noteOfConsult({ notes, specialistConsultType, specialistConsultReason }: Noted, day: string): Pick<Consult, 'notes'> {
  const reason = specialistConsultReason ? `: ${specialistConsultReason}` : ''
  return { notes: withLine(notes, day, `Specialist consult required${inParentheses(specialistConsultType)}${reason}`) }
}

/** The fields of a consult that is no longer required: only the lines in the notes remain (spec 4). */
export const noConsult = {
  requiresSpecialistConsult: false,
  specialistConsultType: null,
  specialistConsultReason: null,
  specialistResultsReceived: false,
  specialistResultsDate: null,
  specialistNotes: null,
}

type WithResults = Pick<Consult, 'notes' | 'specialistConsultType' | 'specialistNotes'>

/** Marks results as received on `day`, with a dated line in the notes and the specialist notes (spec 4). */
export function resultsReceived(consult: WithResults, day: string) {
  return {
    specialistResultsReceived: true,
    specialistResultsDate: day,
    notes: withLine(consult.notes, day, `Specialist results received${inParentheses(consult.specialistConsultType)}`),
    specialistNotes: withLine(consult.specialistNotes, day, 'Results received'),
  }
}

type Enabled = Pick<Consult, 'requiresSpecialistConsult' | 'specialistConsultType' | 'specialistConsultReason'>

/** Requires type and reason (spec 4). What an import left empty may stay empty, but existing values can't be cleared. */
export function consultProblems(after: Enabled, before: Enabled | null): Record<string, string> {
  if (!after.requiresSpecialistConsult) return {}
  const isMissing = (field: 'specialistConsultType' | 'specialistConsultReason') =>
    after[field] === null && (!before?.requiresSpecialistConsult || before[field] !== null)
  return {
    ...(isMissing('specialistConsultType') && { specialistConsultType: consultMessages.type }),
    ...(isMissing('specialistConsultReason') && { specialistConsultReason: consultMessages.reason }),
  }
}

/** Further changes when a consult becomes required, receives results, or is no longer required (spec 4). */
export function followConsult(after: Consult, before: Consult, today: string): Partial<Consult> {
  if (!after.requiresSpecialistConsult) return before.requiresSpecialistConsult ? noConsult : {}
  const noted = before.requiresSpecialistConsult ? {} : noteOfConsult(after, today)
  if (!after.specialistResultsReceived || before.specialistResultsReceived) return noted
  const isDayGiven = after.specialistResultsDate !== null && after.specialistResultsDate !== before.specialistResultsDate
  return { ...noted, ...resultsReceived({ ...after, ...noted }, isDayGiven ? after.specialistResultsDate! : today) }
}
