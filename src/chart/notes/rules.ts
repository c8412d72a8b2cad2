/** What a clinical note is made of, and what may be done with it. */

export const noteKinds = ['consult', 'pre_op', 'operative', 'post_op', 'phone', 'adverse_event', 'other'] as const
export type NoteKind = (typeof noteKinds)[number]
export const noteKindLabels: Record<NoteKind, string> = {
  consult: 'Consultation',
  pre_op: 'Pre-operative',
  operative: 'Operative',
  post_op: 'Post-operative',
  phone: 'Phone call',
  adverse_event: 'Adverse event',
  other: 'Other',
}

export const noteStatuses = ['draft', 'signed'] as const
export type NoteStatus = (typeof noteStatuses)[number]

/** `choice`: one of the options. `choices`: any of them. `values`: a short text for each option, such as a measurement. */
export const sectionTypes = ['text', 'choice', 'choices', 'values'] as const
export type SectionType = (typeof sectionTypes)[number]

export const noteLimits = {
  sections: 40,
  /** Characters of a section's text. */
  text: 20_000,
  /** Characters of all answers together, which keeps a note within the limit of a request. */
  note: 80_000,
  title: 200,
  sectionTitle: 120,
  options: 40,
  option: 120,
  value: 200,
  prefill: 2_000,
  addendum: 20_000,
  templateName: 100,
  templates: 200,
  /** Of a note: the oldest drop out. */
  revisions: 50,
} as const

/** Milliseconds: at most one revision in this time, unless someone else has written in between. */
export const revisionEveryMs = 60_000

interface Asked {
  /** Unique within the note. */
  id: string
  title: string
  type: SectionType
  /** What can be chosen, or what the values are called; empty for text. */
  options: string[]
}
export interface TemplateSection extends Asked {
  /** The text that a new note begins with, with variables: see prefill-rules.ts. */
  prefill: string | null
}

/** By type: a text, the chosen option or '', the chosen options, or a text by option. */
export type Answer = string | string[] | Record<string, string>
export interface NoteSection extends Asked {
  answer: Answer
}

export const emptyAnswer = (type: SectionType): Answer => (type === 'choices' ? [] : type === 'values' ? {} : '')

/** The text for one option of a section of values. */
export const valueFor = (answer: Answer, option: string): string =>
  typeof answer === 'object' && !Array.isArray(answer) && Object.hasOwn(answer, option) ? answer[option]! : ''

/** The answer as text, a line for each value; '' if there is none. */
export function answerText({ options, answer }: Pick<NoteSection, 'options' | 'answer'>): string {
  if (typeof answer === 'string') return answer.trim()
  if (Array.isArray(answer)) return options.filter((option) => answer.includes(option)).join(', ')
  const given = options.map((option) => ({ option, value: valueFor(answer, option).trim() })).filter(({ value }) => value !== '')
  return given.map(({ option, value }) => `${option}: ${value}`).join('\n')
}

/** Whether a note has no answer at all; such a note cannot be signed. */
export const isEmptyNote = (sections: readonly NoteSection[]): boolean => sections.every((section) => answerText(section) === '')

/** The characters of all answers. */
export const noteLength = (sections: readonly NoteSection[]): number =>
  sections.reduce((sum, { answer }) => sum + (typeof answer === 'string' ? answer.length : JSON.stringify(answer).length), 0)

/** Whether an answer fits its section. */
export function isAnswerTo({ type, options }: Asked, answer: Answer): boolean {
  if (type === 'text') return typeof answer === 'string'
  if (type === 'choice') return typeof answer === 'string' && (answer === '' || options.includes(answer))
  if (type === 'choices') return Array.isArray(answer) && answer.every((option) => options.includes(option))
  return typeof answer === 'object' && !Array.isArray(answer) && Object.keys(answer).every((option) => options.includes(option))
}
