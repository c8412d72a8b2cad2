import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace, numberPlace } from '../../shared/page-lists.ts'
import { type ImportedField, importedFields } from '../../crm/contacts/file-fields.ts'
import { type ImportKind, importKinds } from './kind-rules.ts'

/** Maximum file size in bytes. */
export const importFileLimit = 100 * 1024 * 1024
/** Maximum length of a row in characters; a longer one has an unclosed quotation mark. */
export const importRowLimit = 1024 * 1024
export const importColumnLimit = 500
/** How many days the rows of an import are kept and it can be undone. */
export const importRetentionDays = 30

/** The fields that identify the patient of a record. The name alone is not enough; it decides between several matches. */
const patientRef = ['patientEmail', 'patientPhone', 'patientId', 'patientName'] as const

/** The fields a column can map to, by kind of import. */
export const importFields = {
  /** A patient field, a full name, or tags. */
  patients: importedFields.flatMap((field): (ImportedField | 'fullName' | 'tags')[] => {
    if (field === 'lastName') return [field, 'fullName']
    return field === 'assignedProviderId' ? [field, 'tags'] : [field]
  }),
  tasks: ['title', ...patientRef, 'description', 'type', 'priority', 'status', 'dueDate', 'dueTime', 'assignees', 'completedDate'],
  interactions: [...patientRef, 'type', 'date', 'time', 'text', 'outcome', 'author'],
  documents: ['file', ...patientRef, 'documentType', 'name', 'description', 'isShared'],
} as const satisfies Record<ImportKind, readonly string[]>
export type ImportField = (typeof importFields)[ImportKind][number]
const anyField = z.enum([...new Set(Object.values(importFields).flat())])

/** Maximum number of files for one import of documents, and the maximum size of an archive in bytes. */
export const importFileCountLimit = 20_000
export const importArchiveLimit = 1024 * 1024 * 1024
/** Maximum length of a file path in characters. */
export const importPathLimit = 500

/** How 03/04/2026 is read: March 4 or April 3. */
export const dateOrders = ['mdy', 'dmy'] as const
export type DateOrder = (typeof dateOrders)[number]

/** The date order that the values of a column imply: `either` if all of them can be read both ways. */
const dateEvidence = z.enum([...dateOrders, 'either', 'none'])
export type DateEvidence = z.output<typeof dateEvidence>

const columnChoice = z.strictObject({
  field: anyField.nullable(),
  /** Required if the column's dates can be read either way. */
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

/** What to do with a row whose patient or record already exists. `fill` is only for patients. */
export const matchChoices = ['skip', 'fill', 'add'] as const
export type MatchChoice = (typeof matchChoices)[number]

const count = z.number().int()
/** The number of rows by outcome. */
export const checkCounts = z.object({
  fresh: count,
  matches: count,
  duplicates: count,
  errors: count,
  /** For documents: files that no row refers to. They are not counted as rows. */
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
  /** How many rows the current check, run or undo has processed. */
  progress: count,
  checked: checkCounts.nullable(),
  result: runCounts.nullable(),
  /** Patients or records that the undo reverted, and those it kept because they changed since. */
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
  /** Tags in the file that do not exist yet; the import creates them. */
  newTags: z.array(z.string()),
  canUndo: z.boolean(),
})
export type ImportDetails = z.output<typeof details>

const problem = z.object({ column: z.string(), value: z.string(), reason: z.string() })
export type ImportProblem = z.output<typeof problem>

export const findingKinds = ['error', 'match', 'duplicate', 'kept', 'unnamed'] as const
export type FindingKind = (typeof findingKinds)[number]

const finding = z.object({
  /** Row number as in a spreadsheet, with the headers as row 1; for a file without a row, its number among those. */
  row: count,
  /** The name in the row: of the patient, task or file. */
  name: z.string(),
  problems: z.array(problem),
  /** The patient that the row matches or belongs to, if they still exist. */
  contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }).nullable(),
  /** Why it matches, or why it was kept. */
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
  /** The accepted files and their total size in bytes. */
  count,
  bytes: count,
  /** The rejected files; at most 100 are listed with the reason. */
  refused: count,
  refusals: z.array(z.object({ path: z.string(), reason: z.string() })),
})
export type ImportFiles = z.output<typeof files>

const pages = cursorPages(instantPlace, { limit: 50, max: 100 })
/** Pages by row number. */
const findingPages = cursorPages(numberPlace, { limit: 50, max: 200 })

/**
 * The table is uploaded to POST /api/imports, and the files of documents to POST /api/imports/{id}/files. Rejected rows come from GET
 * /api/imports/{id}/errors.csv, templates from GET /api/import-templates/{kind}.csv. See upload.ts, files.ts and download.ts.
 */
export const importsContract = {
  list: oc
    .route({ method: 'GET', path: '/imports', tags, summary: 'List imports, newest first' })
    .input(z.strictObject(pages.input))
    .output(pages.output(summary)),
  get: oc.route({ method: 'GET', path: '/imports/{id}', tags, summary: 'Get an import' }).input(byId).errors(notFound).output(details),
  files: oc
    .route({ method: 'GET', path: '/imports/{id}/files', tags, summary: 'Get the files uploaded for an import of documents' })
    .input(byId)
    .errors(notFound)
    .output(files),
  check: post('/imports/{id}/check', 'Check an import with these columns in the background, without writing anything')
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
    .route({ method: 'GET', path: '/imports/{id}/findings', tags, summary: 'List rows with errors, matches or duplicates, by row' })
    .input(byId.extend({ kind: z.enum(findingKinds), ...findingPages.input }))
    .errors(notFound)
    .output(findingPages.output(finding)),
  run: post('/imports/{id}/run', 'Run an import in the background')
    .input(byId.extend({ onMatch: z.enum(matchChoices) }))
    .errors({
      ...notFound,
      ...forbidden,
      ...wrongMoment,
      INVALID_CHOICE: { status: 422, message: 'Empty fields can only be filled for patients' },
    })
    .output(details),
  cancel: post('/imports/{id}/cancel', 'Stop an import after the current batch; imported records stay and can be undone')
    .input(byId)
    .errors(notFound)
    .output(details),
  undo: post('/imports/{id}/undo', 'Undo an import, except for records that have changed since')
    .input(byId)
    .errors({ ...notFound, ...forbidden, ...wrongMoment })
    .output(details),
  discard: oc
    .route({ method: 'DELETE', path: '/imports/{id}', tags, summary: 'Discard a file that was not imported' })
    .input(byId)
    .errors({ ...notFound, ...wrongMoment }),
}
