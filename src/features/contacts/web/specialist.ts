import { formatDay } from '../../../web/ui/format.ts'

/** A line at the end of a text, with its day in front. */
function withLine(text: string | null, day: string, line: string): string {
  const before = text?.trimEnd() ?? ''
  return `${before}${before && '\n'}${formatDay(day)}: ${line}`
}

const inBrackets = (type: string | null): string => (type ? ` (${type})` : '')

interface Consult {
  notes: string | null
  specialistConsultType: string | null
  specialistConsultReason: string | null
  specialistNotes: string | null
}

/** Spec 4: that a specialist consult is required is noted with its day, type and reason. `day` is today at the practice. */
export function noteOfConsult({ notes, specialistConsultType, specialistConsultReason }: Consult, day: string): Pick<Consult, 'notes'> {
  const reason = specialistConsultReason ? `: ${specialistConsultReason}` : ''
  return { notes: withLine(notes, day, `Specialist consult required${inBrackets(specialistConsultType)}${reason}`) }
}

/** Spec 4: a consult that is not required any more leaves nothing behind but the lines in the notes. */
export const noConsult = {
  requiresSpecialistConsult: false,
  specialistConsultType: null,
  specialistConsultReason: null,
  specialistResultsReceived: false,
  specialistResultsDate: null,
  specialistNotes: null,
}

/** Spec 4: results that have come set the flag and the day, and a dated line goes to the notes and to the specialist's notes. */
export function resultsReceived(consult: Consult, day: string) {
  return {
    specialistResultsReceived: true,
    specialistResultsDate: day,
    notes: withLine(consult.notes, day, `Specialist results received${inBrackets(consult.specialistConsultType)}`),
    specialistNotes: withLine(consult.specialistNotes, day, 'Results received'),
  }
}
