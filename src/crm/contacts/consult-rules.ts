import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'

export const consultMessages = { type: 'Type is required', reason: 'Reason is required' } as const

/** A line at the end of a text, with its day in front. One that is there already is not written again. */
function withLine(text: string | null, day: string, line: string): string {
  const before = text?.trimEnd() ?? ''
  const dated = `${format(parseISO(day), 'MMM d, yyyy')}: ${line}`
  return before.split('\n').includes(dated) ? before : `${before}${before && '\n'}${dated}`
}

const inBrackets = (type: string | null): string => (type ? ` (${type})` : '')

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

/** Spec 4: that a specialist consult is required is noted with its day, type and reason. `day` is today at the practice. */
export function noteOfConsult({ notes, specialistConsultType, specialistConsultReason }: Noted, day: string): Pick<Consult, 'notes'> {
  const reason = specialistConsultReason ? `: ${specialistConsultReason}` : ''
  return { notes: withLine(notes, day, `Specialist consult required${inBrackets(specialistConsultType)}${reason}`) }
}

/** Spec 4: a consult that is no longer required leaves nothing behind but the lines in the notes. */
export const noConsult = {
  requiresSpecialistConsult: false,
  specialistConsultType: null,
  specialistConsultReason: null,
  specialistResultsReceived: false,
  specialistResultsDate: null,
  specialistNotes: null,
}

type WithResults = Pick<Consult, 'notes' | 'specialistConsultType' | 'specialistNotes'>

/** Spec 4: results that have come set the flag and the day, and a dated line goes to the notes and to the specialist's notes. */
export function resultsReceived(consult: WithResults, day: string) {
  return {
    specialistResultsReceived: true,
    specialistResultsDate: day,
    notes: withLine(consult.notes, day, `Specialist results received${inBrackets(consult.specialistConsultType)}`),
    specialistNotes: withLine(consult.specialistNotes, day, 'Results received'),
  }
}

type Enabled = Pick<Consult, 'requiresSpecialistConsult' | 'specialistConsultType' | 'specialistConsultReason'>

/** Spec 4: enabling requires type and reason. What an import left empty may stay so, what was there may not be emptied. */
export function consultProblems(after: Enabled, before: Enabled | null): Record<string, string> {
  if (!after.requiresSpecialistConsult) return {}
  const isMissing = (field: 'specialistConsultType' | 'specialistConsultReason') =>
    after[field] === null && (!before?.requiresSpecialistConsult || before[field] !== null)
  return {
    ...(isMissing('specialistConsultType') && { specialistConsultType: consultMessages.type }),
    ...(isMissing('specialistConsultReason') && { specialistConsultReason: consultMessages.reason }),
  }
}

/** Spec 4: what else changes with a record whose consult becomes required, has its results, or is no longer required. */
export function followConsult(after: Consult, before: Consult, today: string): Partial<Consult> {
  if (!after.requiresSpecialistConsult) return before.requiresSpecialistConsult ? noConsult : {}
  const noted = before.requiresSpecialistConsult ? {} : noteOfConsult(after, today)
  if (!after.specialistResultsReceived || before.specialistResultsReceived) return noted
  const isDayGiven = after.specialistResultsDate !== null && after.specialistResultsDate !== before.specialistResultsDate
  return { ...noted, ...resultsReceived({ ...after, ...noted }, isDayGiven ? after.specialistResultsDate! : today) }
}
