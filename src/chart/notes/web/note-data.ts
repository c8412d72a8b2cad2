import { plainText } from '../../../shared/text.ts'
import type { Client } from '../../../ui/client/api.ts'
import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import { type Answer, noteKindLabels, type NoteSection } from '../rules.ts'

/** A note from the API: instants are ISO strings. */
export type NoteData = Awaited<ReturnType<Client['notes']['get']>>
export type NoteLine = Awaited<ReturnType<Client['notes']['ofContact']>>['data'][number]
export type TemplateData = Awaited<ReturnType<Client['notes']['templates']>>[number]

/** What the author writes. */
export interface NoteWords {
  title: string
  occurredOn: string
  /** By the id of the section. */
  answers: Record<string, Answer>
}

export const wordsOf = ({ title, occurredOn, sections }: Pick<NoteData, 'title' | 'occurredOn' | 'sections'>): NoteWords => ({
  title,
  occurredOn,
  answers: Object.fromEntries(sections.map(({ id, answer }) => [id, answer])),
})

/** The answers without what a program may paste along, so that it never stops a note from being saved. */
export const plainAnswers = (answers: Record<string, Answer>): Record<string, Answer> =>
  Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, typeof answer === 'string' ? plainText(answer) : answer]))

/** The sections with other answers. */
export const withAnswers = (sections: readonly NoteSection[], answers: Record<string, Answer>): NoteSection[] =>
  sections.map((section) => (Object.hasOwn(answers, section.id) ? { ...section, answer: answers[section.id]! } : section))

/** The status of a note, for its badge. */
export function formatNoteStatus({ status, needsCosign, cosignedBy }: Pick<NoteLine, 'status' | 'needsCosign' | 'cosignedBy'>): {
  label: string
  tone: BadgeTone
} {
  if (status === 'signed') return { label: cosignedBy === null ? 'Signed' : 'Co-signed', tone: 'success' }
  return needsCosign ? { label: 'Needs co-signature', tone: 'warning' } : { label: 'Draft', tone: 'neutral' }
}

/** What kind of note it is, unless its title says so: "Pre-operative assessment". */
export const kindBeside = ({ kind, title }: Pick<NoteLine, 'kind' | 'title'>): string | null =>
  title.toLowerCase().startsWith(noteKindLabels[kind].toLowerCase()) ? null : noteKindLabels[kind]
