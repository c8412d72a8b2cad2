import { isUuid } from '../../../shared/text.ts'
import { instantOf, toLocal } from '../../../shared/zoned-time.ts'
import { documentFields } from '../../../documents/contract.ts'
import { loggedFields } from '../../../crm/interactions/contract.ts'
import { taskFields, taskMessages } from '../../../crm/tasks/contract.ts'
import { taskPriorities, taskStatuses, taskTypes } from '../../../crm/tasks/rules.ts'
import type { DateOrder, ImportField } from '../contract.ts'
import { boolean, byRule, time } from './readers.ts'
import { readCallOutcome, readDocumentType, readInteractionType, readTaskPriority, readTaskStatus, readTaskType } from '../record-rules.ts'
import { type RowDraft, type Reader, type CellValue, type RowRules, type RowValues, invalid } from '../reading/rows.ts'
import { readDay, readInstant, withoutMidnight } from './values.ts'
import type { PatientRef } from '../patient-match-rules.ts'

/** A staff member, as referred to in files. */
export type Person = { id: string; email: string; name: string }

/** Finds a staff member by email or by a unique name, or undefined. */
export function createPersonReader(people: readonly Person[]): (text: string) => string | undefined {
  const byEmail = new Map(people.map(({ id, email }) => [email.toLowerCase(), id]))
  const byName = Map.groupBy(people, ({ name }) => name.toLowerCase())
  return (text) => {
    const word = text.toLowerCase()
    const named = byName.get(word) ?? []
    return byEmail.get(word) ?? (named.length === 1 ? named[0]!.id : undefined)
  }
}

const refFields = { patientId: 'id', patientEmail: 'email', patientPhone: 'phone', patientName: 'name' } as const
export const fieldOfRef: Record<keyof PatientRef, ImportField> = {
  id: 'patientId',
  email: 'patientEmail',
  phone: 'patientPhone',
  name: 'patientName',
}

/** The values of a row that identify its patient. */
export function toPatientRef(values: RowValues): PatientRef {
  const getValue = (field: ImportField) => (typeof values[field] === 'string' ? values[field] : null)
  return { id: getValue('patientId'), email: getValue('patientEmail'), phone: getValue('patientPhone'), name: getValue('patientName') }
}

const readText: Reader = (text) => text
const readId: Reader = (text) => (isUuid(text) ? text.toLowerCase() : invalid('This is not a patient ID'))

const formatOptions = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words)
const withSpaces = (value: string) => value.replaceAll('_', ' ')
const word =
  (read: (text: string) => string | undefined, words: readonly string[]): Reader =>
  (text) =>
    read(text) ?? invalid(`Enter ${formatOptions(words.map(withSpaces))}`)

const hasTime = /\d:\d{2}|\d\s*[ap]\.?m\b/i

/** A day, with a time if the text has one. */
export function readDue(text: string, order: DateOrder, timeZone: string): { day: string; time: string | null } | undefined {
  const bare = withoutMidnight(text)
  if (!hasTime.test(bare)) {
    const day = readDay(bare, order)
    return day === undefined ? undefined : { day, time: null }
  }
  const at = readInstant(bare, order, timeZone)
  return at && toLocal(at, timeZone)
}

type Readers = Partial<Record<ImportField, Reader>>

/** Creates rules that parse every cell with the reader of its field. */
function createRules(kind: RowRules['kind'], readers: Readers, end: RowRules['end'], nameOf: RowRules['nameOf']): RowRules {
  const all: Readers = { ...readers, patientId: readId, ...readAsText(['patientEmail', 'patientPhone', 'patientName']) }
  return {
    kind,
    cell: ({ field, header, order }, text, draft) => draft.set(field, header, text, all[field]!(text, order)),
    end,
    nameOf,
  }
}
const readAsText = (fields: readonly ImportField[]): Readers => Object.fromEntries(fields.map((field) => [field, readText]))

/** Adds a problem for each required field without a value. */
function requireFields(draft: RowDraft, headerOf: (field: ImportField) => string, required: Partial<Record<ImportField, string>>): void {
  for (const [field, reason] of Object.entries(required)) {
    if (!draft.given.has(field)) draft.addProblem(headerOf(field as ImportField), '', reason)
  }
}

function requirePatient(draft: RowDraft): void {
  if (Object.keys(refFields).some((field) => draft.given.has(field))) return
  draft.addProblem('', '', 'No patient is given. Add their email, phone number or ID.')
}

const getText = (values: RowValues, field: string): string => (typeof values[field] === 'string' ? values[field] : '')

function readAssignees(person: (text: string) => string | undefined): Reader {
  return (text): CellValue => {
    const words = text
      .split(text.includes(';') ? ';' : ',')
      .map((part) => part.trim())
      .filter(Boolean)
    if (words.length === 0) return invalid(taskMessages.assignees)
    const unknown = words.find((name) => person(name) === undefined)
    if (unknown !== undefined) return invalid(`No assignable staff member has the email ${unknown}`)
    return [...new Set(words.map((name) => person(name)!))]
  }
}

/** The parsing rules for rows of tasks. `people` are those who can be assigned tasks. */
export function taskRows(people: readonly Person[], timeZone: string): RowRules {
  const { shape } = taskFields
  const readers: Readers = {
    title: byRule(shape.title),
    description: byRule(shape.description),
    type: word(readTaskType, taskTypes),
    priority: word(readTaskPriority, taskPriorities),
    status: word(readTaskStatus, taskStatuses),
    dueTime: time,
    assignees: readAssignees(createPersonReader(people)),
    completedDate: (text, order) => readInstant(withoutMidnight(text), order, timeZone)?.toISOString() ?? invalid('This is not a date'),
    dueDate(text, order) {
      const due = readDue(text, order, timeZone)
      return due ? (due.time === null ? due.day : `${due.day} ${due.time}`) : invalid('This is not a date')
    },
  }
  const end: RowRules['end'] = (draft, headerOf) => {
    const { values, given } = draft
    const [day = '', written] = getText(values, 'dueDate').split(' ')
    if (day) values.dueDate = day
    if (written && !given.has('dueTime')) values.dueTime = written
    if (given.has('completedDate') && !given.has('status')) values.status = 'completed'
    if (given.has('completedDate') && (values.status === 'pending' || values.status === 'in_progress'))
      draft.addProblem(headerOf('completedDate'), '', 'A task with a completed date must have the status completed')
    requireFields(draft, headerOf, { title: taskMessages.title, dueDate: taskMessages.dueDate, assignees: taskMessages.assignees })
  }
  return createRules('tasks', readers, end, (values) => getText(values, 'title'))
}

/** Maximum length of the excerpt that names an interaction, in characters. */
const maxNameLength = 80

/** The parsing rules for rows of interactions. `people` are the possible authors. */
export function interactionRows(people: readonly Person[], timeZone: string): RowRules {
  const person = createPersonReader(people)
  const readers: Readers = {
    type: word(readInteractionType, ['call', 'note', 'email', 'meeting']),
    date: (text, order) => readInstant(withoutMidnight(text), order, timeZone)?.toISOString() ?? invalid('This is not a date'),
    time,
    text: byRule(loggedFields.shape.description),
    outcome: word(readCallOutcome, ['reached', 'voicemail', 'no_answer']),
    author: (text) => person(text) ?? invalid('No staff member has this email'),
  }
  const end: RowRules['end'] = (draft, headerOf) => {
    const { values } = draft
    requirePatient(draft)
    requireFields(draft, headerOf, {
      type: 'Enter call, note, email or meeting',
      date: 'Enter the date',
      text: 'Enter what happened',
    })
    if (values.outcome && values.type && values.type !== 'call') draft.addProblem(headerOf('outcome'), '', 'Only a call has an outcome')
    if (typeof values.date === 'string' && typeof values.time === 'string')
      values.date = instantOf({ day: toLocal(values.date, timeZone).day, time: values.time }, timeZone).toISOString()
  }
  return createRules('interactions', readers, end, (values) => getText(values, 'text').slice(0, maxNameLength))
}

/** The parsing rules for rows of documents. */
export function documentRows(): RowRules {
  const { shape } = documentFields
  const readers: Readers = {
    file: (text) => (text.length > 500 ? invalid('This file name is too long') : text),
    documentType: word(readDocumentType, [
      'consent',
      'photo',
      'medical_history',
      'lab_result',
      'imaging',
      'referral',
      'quote',
      'insurance',
      'identification',
      'other',
    ]),
    name: byRule(shape.name),
    description: byRule(shape.description),
    isShared: boolean,
  }
  const end: RowRules['end'] = (draft, headerOf) => {
    requirePatient(draft)
    requireFields(draft, headerOf, { file: 'Enter the file name' })
  }
  return createRules('documents', readers, end, (values) => getText(values, 'file'))
}
