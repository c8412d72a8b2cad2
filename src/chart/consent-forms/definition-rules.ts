import { fillPlaceholders, placeholdersIn } from '../../shared/placeholders.ts'
import { isStorable } from '../../shared/text.ts'
import type { Words } from '../../shared/translations.ts'

/*
 * What a consent form says. A definition is data; the browser draws it, and both sides decide with the same functions what keeps it from
 * being published and what a signature needs (rules.ts). See docs/decisions/consent-forms.md.
 */

export const clauseKinds = ['procedure', 'risks', 'alternatives', 'photographs', 'other'] as const
export type ClauseKind = (typeof clauseKinds)[number]

export interface Clause {
  id: string
  kind: ClauseKind
  title: Words
  text: Words
  needsInitials: boolean
}

/** Whom it concerns: every surgery, surgeries with certain procedures, or the use of a patient's photos, which no surgery requires. */
export const consentUses = ['every_surgery', 'procedures', 'photos'] as const
export type ConsentUse = (typeof consentUses)[number]

/** What photos may be used for. `publication`: the website and social media together, as the first forms asked. */
export const photoScopes = ['chart', 'consult_room', 'education', 'research', 'website', 'social_media', 'publication'] as const
export type PhotoScope = (typeof photoScopes)[number]

export interface ConsentDefinition {
  title: Words
  use: ConsentUse
  /** Of 'procedures'. */
  procedureIds: string[]
  intro: Words | null
  clauses: Clause[]
  /** Of 'photos': what the patient is asked for, each on its own. */
  scopes: PhotoScope[]
  needsWitness: boolean
  needsInterpreter: boolean
  needsCountersignature: boolean
}

/** The fields that texts may use, with what each stands for. */
export const mergeFields = {
  patient_name: 'The patient’s name',
  birth_date: 'Date of birth',
  procedure: 'Procedures of the surgery',
  provider: 'The surgeon, or the patient’s provider',
  surgery_date: 'Day of the surgery',
  practice_name: 'Name of the practice',
} as const
export type MergeField = keyof typeof mergeFields
const isMergeField = (name: string): name is MergeField => Object.hasOwn(mergeFields, name)

export const definitionLimits = { clauses: 60, procedures: 50, title: 120, text: 8_000 } as const
const idPattern = /^[a-z][a-z0-9_]{0,39}$/

export const definitionProblems = {
  NO_CLAUSE: 'Add a clause',
  TOO_MANY_CLAUSES: `A consent form has at most ${definitionLimits.clauses} clauses`,
  NO_PROCEDURE: 'Choose the procedures, or use it for every surgery',
  NO_SCOPE: 'Choose what photos may be used for',
  UNKNOWN_PROCEDURE: 'A chosen procedure does not exist',
  BAD_ID: 'This ID is not valid',
  SAME_ID: 'This ID is used twice',
  NO_ENGLISH: 'The English text is missing',
  NO_FRENCH: 'The French text is missing',
  TOO_LONG: 'This text is too long',
  NOT_STORABLE: 'This text contains characters that cannot be stored',
  UNKNOWN_FIELD: 'This text uses a field that does not exist',
} as const
export type DefinitionProblemCode = keyof typeof definitionProblems
/** `at`: the id of the clause; null for the consent form. `field`: which part of it. */
export interface DefinitionProblem {
  at: string | null
  field: string
  code: DefinitionProblemCode
}

/** Everything that keeps a definition from being published. Its shape is checked before (contract.ts). */
export function checkDefinition(definition: ConsentDefinition): DefinitionProblem[] {
  const { title, use, procedureIds, intro, clauses, scopes } = definition
  const problems: DefinitionProblem[] = []
  const add = (at: string | null, field: string, code: DefinitionProblemCode) => problems.push({ at, field, code })
  const checkWords = (at: string | null, field: string, words: Words, max: number) => {
    if (words.en.trim() === '') add(at, field, 'NO_ENGLISH')
    if (words.fr.trim() === '') add(at, field, 'NO_FRENCH')
    if (Math.max(words.en.length, words.fr.length) > max) add(at, field, 'TOO_LONG')
    if (!isStorable(words.en) || !isStorable(words.fr)) add(at, field, 'NOT_STORABLE')
    if (hasUnknownField(words.en) || hasUnknownField(words.fr)) add(at, field, 'UNKNOWN_FIELD')
  }
  checkWords(null, 'title', title, definitionLimits.title)
  if (intro) checkWords(null, 'intro', intro, definitionLimits.text)
  if (use === 'procedures' && procedureIds.length === 0) add(null, 'procedureIds', 'NO_PROCEDURE')
  if (use === 'photos' && scopes.length === 0) add(null, 'scopes', 'NO_SCOPE')
  if (clauses.length === 0) add(null, 'clauses', 'NO_CLAUSE')
  if (clauses.length > definitionLimits.clauses) add(null, 'clauses', 'TOO_MANY_CLAUSES')
  const ids = new Set<string>()
  for (const clause of clauses) {
    if (!idPattern.test(clause.id)) add(clause.id, 'id', 'BAD_ID')
    if (ids.has(clause.id)) add(clause.id, 'id', 'SAME_ID')
    ids.add(clause.id)
    checkWords(clause.id, 'title', clause.title, definitionLimits.title)
    checkWords(clause.id, 'text', clause.text, definitionLimits.text)
  }
  return problems
}

/** Braces that are left once the known fields are filled in would be signed as they are. */
const hasUnknownField = (text: string): boolean => /\{\{|\}\}/.test(fillPlaceholders(text, (name) => (isMergeField(name) ? '' : undefined)))

/** The merge fields that a definition uses. */
export function fieldsIn({ title, intro, clauses }: ConsentDefinition): MergeField[] {
  const texts = [title, ...(intro ? [intro] : []), ...clauses.flatMap((clause) => [clause.title, clause.text])]
  return placeholdersIn(texts.map(({ en, fr }) => en + fr).join('\n')).filter(isMergeField)
}
