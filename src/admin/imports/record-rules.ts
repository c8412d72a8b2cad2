import type { DocumentType } from '../../documents/rules.ts'
import type { CallOutcome } from '../../crm/interactions/contract.ts'
import type { TaskPriority, TaskStatus, TaskType } from '../../crm/tasks/rules.ts'
import { type ColumnRules, normalizeWord } from './column-rules.ts'
import type { ImportField } from './contract.ts'

/** The fields that identify a patient; one of them is required. */
const identifyingFields: readonly ImportField[] = ['patientEmail', 'patientPhone', 'patientId']

const patientLabels: [ImportField, string][] = [
  ['patientEmail', 'Patient email'],
  ['patientPhone', 'Patient phone'],
  ['patientId', 'Patient ID'],
  ['patientName', 'Patient name'],
]
const patientSynonyms: ColumnRules['synonyms'] = {
  patientEmail: ['email', 'e-mail', 'email address', 'contact email', 'client email', 'customer email', 'associated contact email'],
  patientPhone: ['phone', 'phone number', 'mobile', 'mobile phone', 'contact phone', 'client phone', 'cell phone', 'cell'],
  patientId: ['contact id', 'patient number', 'chart number'],
  patientName: [
    'patient',
    'client',
    'contact',
    'contact name',
    'client name',
    'customer',
    'customer name',
    'associated contact',
    'full name',
  ],
}

const missingColumns = (names: readonly string[]): string => `Choose the columns for ${new Intl.ListFormat('en').format(names)}`
const patientMissing = 'the patient (an email, a phone number or an ID)'

function findProblem(
  fields: ReadonlySet<ImportField>,
  required: Partial<Record<ImportField, string>>,
  needsPatient: boolean,
): string | null {
  const unmapped = Object.entries(required).filter(([field]) => !fields.has(field as ImportField))
  const missing = unmapped.map(([, name]) => name)
  if (needsPatient && !identifyingFields.some((field) => fields.has(field))) missing.push(patientMissing)
  return missing.length > 0 ? missingColumns(missing) : null
}

export const taskColumns: ColumnRules = {
  labels: new Map<ImportField, string>([
    ['title', 'Title'],
    ...patientLabels,
    ['description', 'Description'],
    ['type', 'Type'],
    ['priority', 'Priority'],
    ['status', 'Status'],
    ['dueDate', 'Due date'],
    ['dueTime', 'Due time'],
    ['assignees', 'Assignees'],
    ['completedDate', 'Completed'],
  ]),
  dates: ['dueDate', 'completedDate'],
  synonyms: {
    ...patientSynonyms,
    title: ['task', 'task title', 'task name', 'subject', 'name', 'to do', 'todo', 'what'],
    description: ['notes', 'note', 'details', 'comments', 'comment', 'body', 'task notes', 'full comments'],
    type: ['task type', 'kind', 'activity type', 'task subtype'],
    priority: ['task priority', 'importance'],
    status: ['task status', 'state', 'progress'],
    dueDate: ['due', 'due on', 'due date only', 'deadline', 'task due date', 'date due', 'due by', 'date'],
    dueTime: ['time', 'task due time'],
    assignees: [
      'assigned to',
      'assignee',
      'assignee email',
      'assigned to email',
      'owner',
      'owner email',
      'task owner',
      'activity assigned to',
      'responsible',
      'staff',
      'staff email',
      'user',
    ],
    completedDate: ['completed date', 'completed at', 'completed on', 'date completed', 'done on', 'closed date'],
  },
  problem: (fields) => findProblem(fields, { title: 'the title', dueDate: 'the due date', assignees: 'the assignees' }, false),
}

export const interactionColumns: ColumnRules = {
  labels: new Map<ImportField, string>([
    ...patientLabels,
    ['type', 'Type'],
    ['date', 'Date'],
    ['time', 'Time'],
    ['text', 'Text'],
    ['outcome', 'Call outcome'],
    ['author', 'Written by'],
  ]),
  dates: ['date'],
  synonyms: {
    ...patientSynonyms,
    type: ['interaction type', 'activity type', 'engagement type', 'kind', 'activity', 'channel'],
    date: ['activity date', 'date and time', 'created', 'created at', 'created date', 'timestamp', 'when', 'logged at', 'on'],
    time: ['activity time', 'at'],
    text: [
      'note',
      'notes',
      'description',
      'details',
      'comment',
      'comments',
      'body',
      'summary',
      'message',
      'call notes',
      'note body',
      'content',
    ],
    outcome: ['outcome', 'call result', 'result', 'call disposition', 'disposition'],
    author: ['author', 'created by', 'logged by', 'by', 'user', 'staff', 'staff email', 'owner', 'author email', 'activity assigned to'],
  },
  problem: (fields) => findProblem(fields, { type: 'the type', date: 'the date', text: 'the text' }, true),
}

export const documentColumns: ColumnRules = {
  labels: new Map<ImportField, string>([
    ['file', 'File'],
    ...patientLabels,
    ['documentType', 'Category'],
    ['name', 'Name'],
    ['description', 'Description'],
    ['isShared', 'Share with the patient'],
  ]),
  dates: [],
  synonyms: {
    ...patientSynonyms,
    file: ['file name', 'filename', 'path', 'file path', 'document file', 'attachment'],
    documentType: ['filed under', 'kind', 'type', 'category', 'document type', 'document kind', 'document category'],
    name: ['document name', 'document', 'title', 'document title', 'shown as'],
    description: ['notes', 'note', 'comment', 'comments', 'details'],
    isShared: ['shared', 'share', 'shared with the patient', 'shared with patient', 'share with patient', 'visible to patient', 'portal'],
  },
  problem: (fields) => findProblem(fields, { file: 'the name of the file' }, true),
}

/** The words for each value in files: the value itself and the terms of other software. */
type Words<Value extends string> = Record<Value, readonly string[]>

/** Creates a parser for a fixed set of words, ignoring case and punctuation; undefined for other words. */
function createWordReader<Value extends string>(words: Words<Value>): (text: string) => Value | undefined {
  const values = Object.keys(words) as Value[]
  const known = new Map(values.flatMap((value) => [value, ...words[value]].map((word) => [normalizeWord(word), value] as const)))
  return (text) => known.get(normalizeWord(text))
}

export const readTaskType = createWordReader<TaskType>({
  Call: ['phone call', 'call back', 'callback', 'phone', 'telephone'],
  Email: ['e-mail', 'send email', 'mail'],
  Meeting: ['appointment', 'visit', 'consult', 'consultation'],
  'Follow-up': ['follow up', 'check in'],
  Other: ['task', 'to do', 'todo', 'none'],
})
export const readTaskPriority = createWordReader<TaskPriority>({
  low: ['3', 'lowest', 'minor'],
  medium: ['normal', '2', 'none', 'standard'],
  high: ['urgent', '1', 'highest', 'critical', 'important'],
})
export const readTaskStatus = createWordReader<TaskStatus>({
  pending: ['open', 'not started', 'to do', 'todo', 'new', 'waiting', 'waiting on someone else', 'deferred'],
  in_progress: ['in progress', 'started', 'doing', 'ongoing', 'active'],
  completed: ['complete', 'done', 'closed', 'finished', 'yes', 'true'],
  cancelled: ['canceled', 'dropped', 'void', 'abandoned'],
})
export const readInteractionType = createWordReader<'call' | 'note' | 'email' | 'meeting'>({
  call: ['phone call', 'phone', 'telephone', 'outbound call', 'inbound call', 'calls', 'logged call'],
  note: ['notes', 'comment', 'remark', 'memo'],
  email: ['e-mail', 'mail', 'outgoing email', 'incoming email', 'emails', 'logged email'],
  meeting: ['meetings', 'visit', 'appointment', 'consult', 'consultation', 'in person'],
})
export const readCallOutcome = createWordReader<CallOutcome>({
  reached: ['connected', 'answered', 'spoke', 'completed'],
  voicemail: ['left voicemail', 'left voice mail', 'voice mail', 'left message', 'left live message'],
  no_answer: ['no answer', 'not answered', 'busy', 'unanswered', 'missed'],
})
export const readDocumentType = createWordReader<Exclude<DocumentType, 'patient_upload'>>({
  consent: ['consent form', 'consents', 'consent forms'],
  photo: ['photos', 'picture', 'image', 'before photo', 'after photo', 'before and after'],
  medical_history: ['medical history', 'history', 'intake', 'intake form', 'health history'],
  lab_result: ['lab result', 'lab results', 'lab', 'labs', 'blood work', 'bloodwork'],
  imaging: ['x-ray', 'xray', 'mri', 'ct', 'scan', 'ultrasound'],
  referral: ['referrals', 'referral letter'],
  quote: ['quotes', 'estimate', 'quotation'],
  insurance: ['insurance card', 'insurance form'],
  identification: ['id', 'id card', 'identity', 'passport', 'driver license', 'driving licence', 'health card'],
  other: ['others', 'misc', 'miscellaneous', 'document', 'letter'],
})
