import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { fillPlaceholders } from '../../shared/placeholders.ts'
import { ageOn } from '../../shared/zoned-time.ts'
import { emptyAnswer, type NoteSection, type TemplateSection } from './rules.ts'

/** The variables of a template, with what each stands for. */
export const noteVariables = {
  patient_name: "The patient's name",
  date_of_birth: 'Date of birth',
  age: 'Age in years',
  procedure: 'Procedure of interest',
  next_surgery: 'Day of the next surgery',
  provider: "The patient's provider",
  allergies: 'Allergies',
  medications: 'Current medications',
} as const
export type NoteVariable = keyof typeof noteVariables
export type NoteValues = Record<NoteVariable, string>

const isVariable = (name: string): name is NoteVariable => Object.hasOwn(noteVariables, name)

interface PrefillSource {
  contact: { firstName: string; lastName: string; dateOfBirth: string | null; surgicalDate: string | null }
  procedure: string | null
  provider: string | null
  /** From the health summary. */
  health: { allergies: string; medications: string }
  today: string
}

/** The variables' values for a patient; '' if one is not known. */
export const noteValuesOf = ({ contact, procedure, provider, health, today }: PrefillSource): NoteValues => ({
  patient_name: `${contact.firstName} ${contact.lastName}`.trim(),
  date_of_birth: contact.dateOfBirth ? formatDay(contact.dateOfBirth) : '',
  age: contact.dateOfBirth ? String(ageOn(contact.dateOfBirth, today)) : '',
  procedure: procedure ?? '',
  next_surgery: contact.surgicalDate && contact.surgicalDate >= today ? formatDay(contact.surgicalDate) : '',
  provider: provider ?? '',
  allergies: health.allergies,
  medications: health.medications,
})

/** The sections of a new note. */
export const startedSections = (sections: readonly TemplateSection[], values: NoteValues): NoteSection[] =>
  sections.map(({ prefill, ...section }) => ({
    ...section,
    answer: section.type === 'text' ? filledText(prefill ?? '', values) : emptyAnswer(section.type),
  }))

/** Shown for a value that is not known, within a text that says more. */
export const blank = '___'

/** How many of a note's blanks no one has filled in. */
export const countBlanks = (sections: readonly Pick<NoteSection, 'answer'>[]): number =>
  sections.reduce((sum, { answer }) => sum + (typeof answer === 'string' ? answer.split(blank).length - 1 : 0), 0)

function filledText(prefill: string, values: NoteValues): string {
  const text = fillPlaceholders(prefill, (name) => (isVariable(name) ? values[name] || blank : undefined))
  return text.replaceAll(blank, '').trim() === '' ? '' : text
}

/** 'Mar 14, 1988'. */
const formatDay = (isoDay: string): string => format(parseISO(isoDay), 'MMM d, yyyy')
