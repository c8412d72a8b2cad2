import { isUuid } from '../../../shared/text.ts'
import { instantOf, toLocal } from '../../../shared/zoned-time.ts'
import { documentFields } from '../../../documents/contract.ts'
import { loggedFields } from '../../../crm/interactions/contract.ts'
import { taskFields, taskMessages } from '../../../crm/tasks/contract.ts'
import { taskPriorities, taskStatuses, taskTypes } from '../../../crm/tasks/rules.ts'
import type { DateOrder, ImportField } from '../contract.ts'
import { boolean, byRule, time } from './readers.ts'
import { readCallOutcome, readDocumentType, readInteractionType, readTaskPriority, readTaskStatus, readTaskType } from '../record-rules.ts'
import { type Draft, type Reader, type Reading, type RowRules, type RowValues, wrong } from '../reading/rows.ts'
import { readDay, readInstant, withoutMidnight } from './values.ts'
import type { Whose } from '../whose-rules.ts'

/** Someone of the staff, as a file names them. */
export type Person = { id: string; email: string; name: string }

/** By email, or by a name that no one else has; undefined for anything else. */
export function personReader(people: readonly Person[]): (text: string) => string | undefined {
  const byEmail = new Map(people.map(({ id, email }) => [email.toLowerCase(), id]))
  const byName = Map.groupBy(people, ({ name }) => name.toLowerCase())
  return (text) => {
    const word = text.toLowerCase()
    const named = byName.get(word) ?? []
    return byEmail.get(word) ?? (named.length === 1 ? named[0]!.id : undefined)
  }
}

const whoseFields = { patientId: 'id', patientEmail: 'email', patientPhone: 'phone', patientName: 'name' } as const
export const fieldOfWhose: Record<keyof Whose, ImportField> = {
  id: 'patientId',
  email: 'patientEmail',
  phone: 'patientPhone',
  name: 'patientName',
}

/** What a row says of the patient whose it is. */
export function whoseOf(values: RowValues): Whose {
  const given = (field: ImportField) => (typeof values[field] === 'string' ? values[field] : null)
  return { id: given('patientId'), email: given('patientEmail'), phone: given('patientPhone'), name: given('patientName') }
}

const readWhose: Reader = (text) => text
const readId: Reader = (text) => (isUuid(text) ? text.toLowerCase() : wrong('This is not the ID of a patient'))

const oneOf = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words)
const spaced = (value: string) => value.replaceAll('_', ' ')
const word =
  (read: (text: string) => string | undefined, words: readonly string[]): Reader =>
  (text) =>
    read(text) ?? wrong(`Write ${oneOf(words.map(spaced))}`)

const hasTime = /\d:\d{2}|\d\s*[ap]\.?m\b/i

/** A day and, where it is written with one, a time. */
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

/** Rules whose every cell is read by its field's reader. */
function rulesOf(kind: RowRules['kind'], readers: Readers, end: RowRules['end'], nameOf: RowRules['nameOf']): RowRules {
  const all: Readers = { ...readers, patientId: readId, ...asGiven(['patientEmail', 'patientPhone', 'patientName']) }
  return {
    kind,
    cell: ({ field, header, order }, text, draft) => draft.take(field, header, text, all[field]!(text, order)),
    end,
    nameOf,
  }
}
const asGiven = (fields: readonly ImportField[]): Readers => Object.fromEntries(fields.map((field) => [field, readWhose]))

/** Refuses a row that says nothing of these. */
function demand(draft: Draft, headerOf: (field: ImportField) => string, wanted: Partial<Record<ImportField, string>>): void {
  for (const [field, reason] of Object.entries(wanted)) {
    if (!draft.given.has(field)) draft.refuse(headerOf(field as ImportField), '', reason)
  }
}

function demandPatient(draft: Draft): void {
  if (Object.keys(whoseFields).some((field) => draft.given.has(field))) return
  draft.refuse('', '', 'No patient is given. Add their email, phone number or ID.')
}

const textOf = (values: RowValues, field: string): string => (typeof values[field] === 'string' ? values[field] : '')

function readAssignees(person: (text: string) => string | undefined): Reader {
  return (text): Reading => {
    const words = text.split(text.includes(';') ? ';' : ',').map((one) => one.trim()).filter(Boolean) // biome-ignore format: one chain
    if (words.length === 0) return wrong(taskMessages.assignees)
    const unknown = words.find((one) => person(one) === undefined)
    if (unknown !== undefined) return wrong(`No one whom tasks can be assigned to has the email ${unknown}`)
    return [...new Set(words.map((one) => person(one)!))]
  }
}

/** How a row says what someone has to do. `people`: those whom tasks can be assigned to. */
export function taskRows(people: readonly Person[], timeZone: string): RowRules {
  const { shape } = taskFields
  const readers: Readers = {
    title: byRule(shape.title),
    description: byRule(shape.description),
    type: word(readTaskType, taskTypes),
    priority: word(readTaskPriority, taskPriorities),
    status: word(readTaskStatus, taskStatuses),
    dueTime: time,
    assignees: readAssignees(personReader(people)),
    completedDate: (text, order) => readInstant(withoutMidnight(text), order, timeZone)?.toISOString() ?? wrong('This is not a date'),
    dueDate(text, order) {
      const due = readDue(text, order, timeZone)
      return due ? (due.time === null ? due.day : `${due.day} ${due.time}`) : wrong('This is not a date')
    },
  }
  const end: RowRules['end'] = (draft, headerOf) => {
    const { values, given } = draft
    const [day = '', written] = textOf(values, 'dueDate').split(' ')
    if (day) values.dueDate = day
    if (written && !given.has('dueTime')) values.dueTime = written
    if (given.has('completedDate') && !given.has('status')) values.status = 'completed'
    if (given.has('completedDate') && (values.status === 'pending' || values.status === 'in_progress'))
      draft.refuse(headerOf('completedDate'), '', 'By its status, this task is not completed')
    demand(draft, headerOf, { title: taskMessages.title, dueDate: taskMessages.dueDate, assignees: taskMessages.assignees })
  }
  return rulesOf('tasks', readers, end, (values) => textOf(values, 'title'))
}

/** As long as the beginning of a text that stands for it, in characters. */
const shownText = 80

/** How a row says what happened with a patient. `people`: everyone who may have written it. */
export function interactionRows(people: readonly Person[], timeZone: string): RowRules {
  const person = personReader(people)
  const readers: Readers = {
    type: word(readInteractionType, ['call', 'note', 'email', 'meeting']),
    date: (text, order) => readInstant(withoutMidnight(text), order, timeZone)?.toISOString() ?? wrong('This is not a date'),
    time,
    text: byRule(loggedFields.shape.description),
    outcome: word(readCallOutcome, ['reached', 'voicemail', 'no_answer']),
    author: (text) => person(text) ?? wrong('No one on the staff has this email'),
  }
  const end: RowRules['end'] = (draft, headerOf) => {
    const { values } = draft
    demandPatient(draft)
    demand(draft, headerOf, {
      type: 'Say whether it is a call, note, email or meeting',
      date: 'Say when it was',
      text: 'Write what happened',
    })
    if (values.outcome && values.type && values.type !== 'call') draft.refuse(headerOf('outcome'), '', 'Only a call has an outcome')
    if (typeof values.date === 'string' && typeof values.time === 'string')
      values.date = instantOf({ day: toLocal(values.date, timeZone).day, time: values.time }, timeZone).toISOString()
  }
  return rulesOf('interactions', readers, end, (values) => textOf(values, 'text').slice(0, shownText))
}

/** How a row says what a file is. */
export function documentRows(): RowRules {
  const { shape } = documentFields
  const readers: Readers = {
    file: (text) => (text.length > 500 ? wrong('This is too long to be the name of a file') : text),
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
    demandPatient(draft)
    demand(draft, headerOf, { file: 'Say which file it is' })
  }
  return rulesOf('documents', readers, end, (values) => textOf(values, 'file'))
}
