import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { cursorPages, numberPlace } from '../../shared/page-lists.ts'
import { auditActions, type AuditKind, auditKinds, auditRoles, printedKinds } from '../../kernel/audit/rules.ts'

/** So many patients are named in a line of the list; an entry by itself names more. */
export const namedInLine = 3
export const namedInEntry = 100

const kinds = Object.keys(auditKinds) as [AuditKind, ...AuditKind[]]

/** Which entries: a list's and its file's. */
export const auditFilters = z.strictObject({
  /** One of the staff. */
  actorId: z.uuid().optional(),
  contactId: z.uuid().optional(),
  action: z.enum(auditActions).optional(),
  kind: z.enum(kinds).optional(),
  /** Calendar days of the practice, both included. */
  from: calendarDay.optional(),
  to: calendarDay.optional(),
})
export type AuditFilters = z.output<typeof auditFilters>

const who = {
  /** Null: no one of the staff. */
  by: z.uuid().nullable(),
  /** Null: no one of the staff, or an account that is gone. */
  byName: z.string().nullable(),
  byRole: z.enum(auditRoles),
}

const line = z.object({
  /** Its place: newer ones have higher numbers. */
  id: z.number().int(),
  at: z.date(),
  ...who,
  action: z.enum(auditActions),
  /** What it is about: a kind of the log's, or of a denial the call that was refused. */
  kind: z.string(),
  /** The same in words. */
  about: z.string(),
  /** The first of the patients concerned; without a name: deleted since. */
  patients: z.array(z.object({ id: z.uuid(), name: z.string().nullable() })),
  patientCount: z.number().int(),
})
export type AuditLine = z.output<typeof line>

const tags = ['Audit log']
/** By the numbers of its entries. */
const entryPages = cursorPages(numberPlace, { limit: 50, max: 100 })
/** By days, the limit being one of lines: a day is shown as a whole, or on the next page. */
const dayPages = cursorPages(calendarDay, { limit: 100, max: 100 })

export const auditContract = {
  list: oc
    .route({ method: 'GET', path: '/audit', tags, summary: 'Who saw or changed what of whom, newest first' })
    .input(auditFilters.extend(entryPages.input))
    .output(entryPages.output(line)),
  get: oc
    .route({ method: 'GET', path: '/audit/{id}', tags, summary: 'An entry of the audit log with what was there before and after' })
    .input(z.strictObject({ id: z.coerce.number<number | string>().int().min(1).max(Number.MAX_SAFE_INTEGER) }))
    .errors({ NOT_FOUND: { status: 404, message: 'Entry not found' } })
    .output(line.extend({ before: z.unknown(), after: z.unknown(), requestId: z.string(), address: z.string().nullable() })),
  seen: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/views',
      tags,
      summary: 'Who saw a patient’s data, by day of the practice, newest day first',
    })
    .input(z.strictObject({ contactId: z.uuid(), ...dayPages.input }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(
      dayPages.output(
        z.object({
          day: z.iso.date(),
          ...who,
          /** How often something of this patient alone was opened. */
          opened: z.number().int(),
          /** How often the patient stood in a list with others. */
          listed: z.number().int(),
          /** How often it was exported or printed. */
          taken: z.number().int(),
          firstAt: z.date(),
          lastAt: z.date(),
          /** What was opened, in words. */
          about: z.array(z.string()),
        }),
      ),
    ),
  printed: oc
    .route({ method: 'POST', path: '/audit/printed', tags, summary: 'Say that a page was printed' })
    .input(z.strictObject({ kind: z.enum(printedKinds), contactIds: z.array(z.uuid()).max(500) })),
}
