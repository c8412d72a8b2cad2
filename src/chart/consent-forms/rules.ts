import { fillPlaceholders } from '../../shared/placeholders.ts'
import { comparable, inOneLine, isStorable } from '../../shared/text.ts'
import { formatLongDay, type Language, type Words } from '../../shared/translations.ts'
import { ageOn } from '../../shared/zoned-time.ts'
import { isAnswered, signatureProblem, type Signature } from '../forms/rules.ts'
import { consentTexts } from './texts.ts'
import { type Clause, type ConsentDefinition, fieldsIn, type MergeField, type PhotoScope } from './definition-rules.ts'

/** What the merge fields stand for. Days are 'yyyy-MM-dd'. */
export interface MergeValues {
  patientName: string
  birthDate: string | null
  procedure: Words | null
  provider: string | null
  surgeryDate: string | null
  practiceName: string
}

/** For the preview in the editor. */
export const exampleValues: MergeValues = {
  patientName: 'Deepa Thambirajah',
  birthDate: '1988-03-14',
  procedure: { en: 'Septorhinoplasty', fr: 'Septorhinoplastie' },
  provider: 'Dr. Ngozi Okafor',
  surgeryDate: '2026-12-17',
  practiceName: 'Harbourview Plastic Surgery',
}

/** From this age a patient signs, unless staff decide otherwise; below it they have to decide. */
const adultAge = 18
export const isMinor = (birthDate: string | null, day: string): boolean => birthDate !== null && ageOn(birthDate, day) < adultAge

/** Someone who signs for the patient, and how they are related. */
export interface Substitute {
  name: string
  relation: string
}

/** A consent form as it is read and signed in one language. Everything in it is part of what the signature confirms. */
export interface ConsentText {
  language: Language
  title: string
  patientName: string
  birthDate: string | null
  procedure: string | null
  provider: string | null
  surgeryDate: string | null
  intro: string | null
  clauses: (Pick<Clause, 'id' | 'kind' | 'needsInitials'> & { title: string; text: string })[]
  scopes: { scope: PhotoScope; label: string }[]
  needsWitness: boolean
  needsInterpreter: boolean
  substitute: Substitute | null
  /** The sentence of intent, which the signer ticks. */
  statement: string
}

const valueOf = (values: MergeValues, field: MergeField, language: Language): string | null => {
  switch (field) {
    case 'patient_name':
      return values.patientName || null
    case 'birth_date':
      return values.birthDate && formatLongDay(values.birthDate, language)
    case 'procedure':
      return values.procedure && values.procedure[language]
    case 'provider':
      return values.provider
    case 'surgery_date':
      return values.surgeryDate && formatLongDay(values.surgeryDate, language)
    case 'practice_name':
      return values.practiceName || null
  }
}

/** The fields that the texts use and that are not known. */
export const missingFields = (definition: ConsentDefinition, values: MergeValues): MergeField[] =>
  fieldsIn(definition).filter((field) => valueOf(values, field, 'en') === null)

export function renderText(
  definition: ConsentDefinition,
  values: MergeValues,
  language: Language,
  substitute: Substitute | null,
): ConsentText {
  const fill = (text: string) => fillPlaceholders(text, (name) => valueOf(values, name as MergeField, language) ?? undefined)
  const { title, intro, clauses, scopes, needsWitness, needsInterpreter } = definition
  const { patientName } = values
  const t = consentTexts[language]
  return {
    language,
    title: fill(title[language]),
    patientName,
    birthDate: values.birthDate && formatLongDay(values.birthDate, language),
    procedure: values.procedure && values.procedure[language],
    provider: values.provider,
    surgeryDate: values.surgeryDate && formatLongDay(values.surgeryDate, language),
    intro: intro && fill(intro[language]),
    clauses: clauses.map(({ id, kind, needsInitials, ...words }) => ({
      id,
      kind,
      needsInitials,
      title: fill(words.title[language]),
      text: fill(words.text[language]),
    })),
    scopes: definition.use === 'photos' ? scopes.map((scope) => ({ scope, label: t(`scopes.${scope}`) })) : [],
    needsWitness,
    needsInterpreter,
    substitute,
    statement: substitute ? t('statementFor', { patient: patientName }) : t('statement'),
  }
}

export const signingLimits = { initials: 8, name: 120, relation: 60, reason: 500, question: 1_000 } as const

/** What a signer gives. */
export interface Signing {
  /** The clauses that were on the screen, by id. */
  shown: string[]
  /** By clause. */
  initials: Record<string, string>
  signature: Signature
  /** The sentence of intent was ticked. */
  agrees: boolean
  /** What the patient agrees to, of those that are asked for. */
  scopes: PhotoScope[]
  witness: string | null
  interpreter: string | null
}

export const signingFields = ['shown', 'initials', 'scopes', 'witness', 'interpreter', 'agrees', 'signature', 'name'] as const
/** What is missing or wrong. `clause`: its id, for 'shown' and 'initials'. 'name': the typed signature is another name than the signer's. */
export interface SigningProblem {
  field: (typeof signingFields)[number]
  clause: string | null
}

type Needed = Pick<ConsentText, 'clauses' | 'scopes' | 'needsWitness' | 'needsInterpreter'>
/** What someone claims to be a signing. */
type Given = { [Field in keyof Signing]?: unknown }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isLine = (value: unknown, max: number): value is string =>
  typeof value === 'string' && inOneLine(value) !== '' && value.length <= max && isStorable(value)

/** The names that a typed signature may be: that of the person who signs for the patient, or the patient's legal and preferred ones. */
export const signerNames = (
  { firstName, lastName, preferredName }: { firstName: string; lastName: string; preferredName: string | null },
  substitute: Substitute | null,
): [string, ...string[]] => {
  if (substitute) return [substitute.name]
  const withLast = (first: string) => `${first} ${lastName}`.trim()
  return [withLast(firstName), ...(preferredName === null ? [] : [withLast(preferredName)])]
}

/**
 * Whether a typed name is one of these, written with or without accents, capitals and spaces, in either order of its parts, and with or without
 * middle names. Names without a letter cannot be compared.
 */
export function isNameOf(typed: string, names: readonly string[]): boolean {
  const given = wordsOf(typed)
  if (given.length === 0) return names.every((name) => wordsOf(name).length === 0)
  return names.some((name) => {
    const own = wordsOf(name)
    const rotated = own.map((_, at) => [...own.slice(at), ...own.slice(0, at)])
    return rotated.some((words) => words.join('') === given.join('')) || (own.length > 1 && hasMiddleNames(given, own))
  })
}
const wordsOf = (name: string): string[] => comparable(name).split(' ').filter(Boolean)

/** Whether `own` is `given` without words in its middle. */
function hasMiddleNames(given: readonly string[], own: readonly string[]): boolean {
  let found = 0
  for (const word of given) if (word === own[found]) found++
  return found === own.length && given[0] === own[0] && given.at(-1) === own.at(-1)
}

/**
 * Everything that keeps a consent form from being signed, in the order of the page. `names`: of the signer. The browser and the server both decide
 * with this.
 */
export function signingProblems(
  { clauses, scopes, needsWitness, needsInterpreter }: Needed,
  given: Given,
  names: readonly string[],
): SigningProblem[] {
  const problems: SigningProblem[] = []
  const add = (field: SigningProblem['field'], clause: string | null = null) => problems.push({ field, clause })
  const shown: readonly unknown[] = Array.isArray(given.shown) ? given.shown : []
  const initials = isObject(given.initials) ? given.initials : {}
  for (const { id, needsInitials } of clauses) {
    if (!shown.includes(id)) add('shown', id)
    if (needsInitials && !(Object.hasOwn(initials, id) && isLine(initials[id], signingLimits.initials))) add('initials', id)
  }
  const agreed: readonly unknown[] = Array.isArray(given.scopes) ? given.scopes : []
  const isOffered = agreed.every((scope) => scopes.some((one) => one.scope === scope)) && new Set(agreed).size === agreed.length
  if (!isOffered || (scopes.length > 0 && agreed.length === 0)) add('scopes')
  if (!isAnswered(given.signature) || signatureProblem(given.signature) !== null) add('signature')
  else if ((given.signature as Signature).kind === 'typed' && !isNameOf((given.signature as { name: string }).name, names)) add('name')
  for (const [field, isNeeded] of [
    ['witness', needsWitness],
    ['interpreter', needsInterpreter],
  ] as const) {
    const name = given[field]
    const isAbsent = name === undefined || name === null || name === ''
    if (isAbsent ? isNeeded : !isLine(name, signingLimits.name)) add(field)
  }
  if (given.agrees !== true) add('agrees')
  return problems
}

/**
 * A signing without what does not belong to the consent form: initials of clauses that need none, unknown clauses, and a witness whom the
 * page does not ask for.
 */
export const keptSigning = ({ clauses, needsWitness }: Needed, { initials, ...rest }: Signing): Signing => ({
  ...rest,
  witness: needsWitness ? rest.witness : null,
  shown: clauses.map(({ id }) => id),
  initials: Object.fromEntries(clauses.filter(({ needsInitials }) => needsInitials).map(({ id }) => [id, initials[id]!.trim()])),
})

/** 'D.T.' of 'Deepa Thambirajah'. */
export const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/[\s-]+/)
    .filter((part) => part !== '')
    .slice(0, 3)
    .map((part) => `${Array.from(part)[0]!.toLocaleUpperCase('fr-CA')}.`)
    .join('')
