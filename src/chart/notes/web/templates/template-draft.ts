import { noteMessages } from '../../contract.ts'
import type { NoteKind, SectionType, TemplateSection } from '../../rules.ts'
import type { TemplateData } from '../note-data.ts'

/** A section being edited. */
export interface SectionDraft {
  /** Identifies the section while editing; for a stored one, its id. */
  key: string
  title: string
  type: SectionType
  /** One option per line. */
  options: string
  prefill: string
}

export interface TemplateDraft {
  name: string
  kind: NoteKind
  isActive: boolean
  sections: SectionDraft[]
}

export const newSection = (): SectionDraft => ({ key: crypto.randomUUID(), title: '', type: 'text', options: '', prefill: '' })

export const newTemplate = (): TemplateDraft => ({ name: '', kind: 'consult', isActive: true, sections: [newSection()] })

export const draftOf = ({ name, kind, isActive, sections }: TemplateData): TemplateDraft => ({
  name,
  kind,
  isActive,
  sections: sections.map(({ id, title, type, options, prefill }) => ({
    key: id,
    title,
    type,
    options: options.join('\n'),
    prefill: prefill ?? '',
  })),
})

const optionsOf = (lines: string): string[] => [
  ...new Set(
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** Problems by the server's field names. */
export function problemsOf({ name, sections }: TemplateDraft): Record<string, string | undefined> {
  const ofSections = sections.flatMap(({ title, type, options }, index): [string, string | undefined][] => [
    [`sections.${index}.title`, title.trim() === '' ? noteMessages.sectionTitle : undefined],
    [`sections.${index}.options`, type !== 'text' && optionsOf(options).length === 0 ? noteMessages.options : undefined],
  ])
  return {
    name: name.trim() === '' ? noteMessages.templateName : undefined,
    sections: sections.length === 0 ? noteMessages.sections : undefined,
    ...Object.fromEntries(ofSections),
  }
}

/** The template as API input. */
export const writtenOf = ({ name, kind, isActive, sections }: TemplateDraft) => ({
  name,
  kind,
  isActive,
  sections: sections.map(({ key, title, type, options, prefill }): TemplateSection => ({
    id: key,
    title,
    type,
    options: type === 'text' ? [] : optionsOf(options),
    prefill: type === 'text' && prefill.trim() !== '' ? prefill : null,
  })),
})
