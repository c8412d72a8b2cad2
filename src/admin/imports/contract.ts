import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace, numberPlace } from '../../shared/page-lists.ts'
import { type ImportedField, importedFields } from '../../crm/contacts/fields.ts'
import { type ImportKind, importKinds } from './kind-rules.ts'

/** The largest file that is taken, in bytes. */
export const importFileLimit = 100 * 1024 * 1024
/** A row with all its cells, in characters: more is a quotation mark that was never closed. */
export const importRowLimit = 1024 * 1024
export const importColumnLimit = 500
/** How long the rows of an import are kept, and it can be undone. */
export const importKeptDays = 30

/** By what the rows of the other tables say whose they are. The name alone tells no one; it settles who of several is meant. */
const whose = ['patientEmail', 'patientPhone', 'patientId', 'patientName'] as const

/** What a column may hold, by what is imported. */
export const importFields = {
  /** A field of the patient, a whole name, or tags. */
  patients: importedFields.flatMap((field): (ImportedField | 'fullName' | 'tags')[] => {
    if (field === 'lastName') return [field, 'fullName']
    return field === 'assignedProviderId' ? [field, 'tags'] : [field]
  }),
  tasks: ['title', ...whose, 'description', 'type', 'priority', 'status', 'dueDate', 'dueTime', 'assignees', 'completedDate'],
  interactions: [...whose, 'type', 'date', 'time', 'text', 'outcome', 'author'],
  documents: ['file', ...whose, 'documentType', 'name', 'description', 'isShared'],
} as const satisfies Record<ImportKind, readonly string[]>
export type ImportField = (typeof importFields)[ImportKind][number]
const anyField = z.enum([...new Set(Object.values(importFields).flat())])

/** As many files as the documents of one import may be, and as many bytes as one archive of them may have. */
export const importMostFiles = 20_000
export const importArchiveLimit = 1024 * 1024 * 1024
/** As long as the path of a file may be, in characters. */
export const importPathLimit = 500

/** How 03/04/2026 is read: March 4 or April 3. */
export const dateOrders = ['mdy', 'dmy'] as const
export type DateOrder = (typeof dateOrders)[number]

/** What the dates of a column say of their order themselves: `either` where each could be read both ways. */
const dateEvidence = z.enum([...dateOrders, 'either', 'none'])
export type DateEvidence = z.output<typeof dateEvidence>

const columnChoice = z.strictObject({
  field: anyField.nullable(),
  /** Needed where the column holds dates that could be read either way. */
  dateOrder: z.enum(dateOrders).nullable().default(null),
})
export type ColumnChoice = z.output<typeof columnChoice>

const column = z.object({
  header: z.string(),
  samples: z.array(z.string()),
  dates: dateEvidence,
  field: anyField.nullable(),
  dateOrder: z.enum(dateOrders).nullable(),
})
export type ImportColumn = z.output<typeof column>

export const importStatuses = ['mapping', 'checking', 'checked', 'running', 'done', 'cancelled', 'undoing', 'undone'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** What is done with a row whose patient, or whose record, is there already. `fill` is for patients alone. */
export const matchChoices = ['skip', 'fill', 'add'] as const
export type MatchChoice = (typeof matchChoices)[number]

const count = z.number().int()
/** Rows of the file by what becomes of them. */
export const checkCounts = z.object({
  fresh: count,
  matches: count,
  duplicates: count,
  errors: count,
  /** Of documents: files that no row names. They are no rows. */
  unnamed: count.optional(),
})
export type CheckCounts = z.output<typeof checkCounts>
export const runCounts = z.object({ added: count, filled: count, skipped: count, errors: count })
export type RunCounts = z.output<typeof runCounts>

const summary = z.object({
  id: z.uuid(),
  kind: z.enum(importKinds),
  fileName: z.string(),
  status: z.enum(importStatuses),
  rows: count,
  /** Of the rows, those that the check, the run or the undo under way has dealt with. */
  progress: count,
  checked: checkCounts.nullable(),
  result: runCounts.nullable(),
  /** Patients or records taken back by the undo, and those that it left because they have changed since. */
  undone: count,
  kept: count,
  createdAt: z.date(),
  createdBy: z.uuid(),
})
export type ImportSummary = z.output<typeof summary>

const details = summary.extend({
  encoding: z.string(),
  columns: z.array(column),
  onMatch: z.enum(matchChoices).nullable(),
  /** Tags that the file names and the clinic does not have: the import makes them. */
  newTags: z.array(z.string()),
  canUndo: z.boolean(),
})
export type ImportDetails = z.output<typeof details>

const problem = z.object({ column: z.string(), value: z.string(), reason: z.string() })
export type ImportProblem = z.output<typeof problem>

export const findingKinds = ['error', 'match', 'duplicate', 'kept', 'unnamed'] as const
export type FindingKind = (typeof findingKinds)[number]

const finding = z.object({
  /** As a spreadsheet numbers them: the headers are row 1. Of a file that no row names: which of those it is. */
  row: count,
  /** The name that the row gives: of the patient, the task, the file. */
  name: z.string(),
  problems: z.array(problem),
  /** The patient it matches, or whose it is, if they are still there. */
  contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }).nullable(),
  /** By what it matches, or why it was left. */
  note: z.string().nullable(),
})
export type ImportFinding = z.output<typeof finding>

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Imports']
const notFound = { NOT_FOUND: { status: 404, message: 'This import does not exist' } } as const
const wrongMoment = { WRONG_MOMENT: { status: 409, message: 'This is not possible at this stage of the import' } } as const
const forbidden = { FORBIDDEN: { status: 403, message: 'This API key may not write these records' } } as const
const post = (path: `/imports/${string}`, text: string) => oc.route({ method: 'POST', path, tags, summary: text })

const files = z.object({
  /** Those that can be imported, and what they have in bytes. */
  count,
  bytes: count,
  /** Those that were not taken, and why; at most 100 of them are named. */
  refused: count,
  refusals: z.array(z.object({ path: z.string(), reason: z.string() })),
})
export type ImportFiles = z.output<typeof files>

const pages = cursorPages(instantPlace, { limit: 50, max: 100 })
/** By their rows in the file. */
const findingPages = cursorPages(numberPlace, { limit: 50, max: 200 })

/**
 * The table itself goes to POST /api/imports, the files of documents to POST /api/imports/{id}/files; the refused rows come from GET
 * /api/imports/{id}/errors.csv, empty tables from GET /api/imports/templates/{kind}.csv. See upload.ts, files.ts and download.ts.
 */
export const importsContract = {
  list: oc
    .route({ method: 'GET', path: '/imports', tags, summary: 'Earlier imports, newest first' })
    .input(z.strictObject(pages.input))
    .output(pages.output(summary)),
  get: oc.route({ method: 'GET', path: '/imports/{id}', tags, summary: 'One import' }).input(byId).errors(notFound).output(details),
  files: oc
    .route({ method: 'GET', path: '/imports/{id}/files', tags, summary: 'The files that were sent for the rows of an import of documents' })
    .input(byId)
    .errors(notFound)
    .output(files),
  check: post('/imports/{id}/check', 'Try it with these columns, in the background; nothing is written')
    .input(byId.extend({ columns: z.array(columnChoice).max(importColumnLimit) }))
    .errors({
      ...notFound,
      ...wrongMoment,
      INVALID_MAPPING: {
        status: 422,
        message: 'Please check the marked columns',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
    })
    .output(details),
  findings: oc
    .route({ method: 'GET', path: '/imports/{id}/findings', tags, summary: 'Rows with errors, matches or duplicates, by row' })
    .input(byId.extend({ kind: z.enum(findingKinds), ...findingPages.input }))
    .errors(notFound)
    .output(findingPages.output(finding)),
  run: post('/imports/{id}/run', 'Import in the background')
    .input(byId.extend({ onMatch: z.enum(matchChoices) }))
    .errors({ ...notFound, ...forbidden, ...wrongMoment, INVALID_CHOICE: { status: 422, message: 'Only patients can be filled in' } })
    .output(details),
  cancel: post('/imports/{id}/cancel', 'Stop after the batch under way; what was imported stays and can be undone')
    .input(byId)
    .errors(notFound)
    .output(details),
  undo: post('/imports/{id}/undo', 'Take the whole import back, but for what has changed since')
    .input(byId)
    .errors({ ...notFound, ...forbidden, ...wrongMoment })
    .output(details),
  discard: oc
    .route({ method: 'DELETE', path: '/imports/{id}', tags, summary: 'Discard a file that was not imported' })
    .input(byId)
    .errors({ ...notFound, ...wrongMoment }),
}
