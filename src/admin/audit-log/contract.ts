import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { cursorPages, numberPlace } from '../../shared/page-lists.ts'
import { auditActions, type AuditKind, auditKinds, auditRoles, printedKinds } from '../../kernel/audit/rules.ts'

/** How many patients are named in a row of the list, and in a single entry. */
export const namesPerRow = 3
export const namesPerEntry = 100

const kinds = Object.keys(auditKinds) as [AuditKind, ...AuditKind[]]

/** The filters of the list and of its export. */
export const auditFilters = z.strictObject({
  /** A staff member or an API key. */
  actorId: z.uuid().optional(),
  contactId: z.uuid().optional(),
  action: z.enum(auditActions).optional(),
  kind: z.enum(kinds).optional(),
  /** Calendar days in the practice's time zone, both inclusive. */
  from: calendarDay.optional(),
  to: calendarDay.optional(),
})
export type AuditFilters = z.output<typeof auditFilters>

const actor = {
  /** Null if the actor is neither staff nor an API key. */
  by: z.uuid().nullable(),
  /** Null if there is no such actor, or the account was deleted. */
  byName: z.string().nullable(),
  byRole: z.enum(auditRoles),
}

const line = z.object({
  /** Sequence number: newer entries have higher ones. */
  id: z.number().int(),
  at: z.date(),
  ...actor,
  action: z.enum(auditActions),
  /** The kind of record; for a denial, the call that was refused. */
  kind: z.string(),
  /** The kind as a label. */
  about: z.string(),
  /** The first patients concerned; the name is null if the patient was deleted since. */
  patients: z.array(z.object({ id: z.uuid(), name: z.string().nullable() })),
  patientCount: z.number().int(),
})
export type AuditLine = z.output<typeof line>

const tags = ['Audit log']
/** Pages by entry number. */
const entryPages = cursorPages(numberPlace, { limit: 50, max: 100 })
/** Pages by day. The limit counts rows, and a day is never split across pages. */
const dayPages = cursorPages(calendarDay, { limit: 100, max: 100 })

export const auditContract = {
  list: oc
    .route({ method: 'GET', path: '/audit', tags, summary: 'List audit entries, newest first' })
    .input(auditFilters.extend(entryPages.input))
    .output(entryPages.output(line)),
  get: oc
    .route({ method: 'GET', path: '/audit/{id}', tags, summary: 'Get an audit entry with the values before and after' })
    .input(z.strictObject({ id: z.coerce.number<number | string>().int().min(1).max(Number.MAX_SAFE_INTEGER) }))
    .errors({ NOT_FOUND: { status: 404, message: 'Entry not found' } })
    .output(line.extend({ before: z.unknown(), after: z.unknown(), requestId: z.string(), address: z.string().nullable() })),
  seen: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/views',
      tags,
      summary: 'List who viewed a patient’s data, by day, newest first',
    })
    .input(z.strictObject({ contactId: z.uuid(), ...dayPages.input }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(
      dayPages.output(
        z.object({
          day: z.iso.date(),
          ...actor,
          /** How often a record of only this patient was opened. */
          opened: z.number().int(),
          /** How often the patient appeared in a list with others. */
          listed: z.number().int(),
          /** How often it was exported or printed. */
          taken: z.number().int(),
          firstAt: z.date(),
          lastAt: z.date(),
          /** Labels of the records that were opened. */
          about: z.array(z.string()),
        }),
      ),
    ),
  printed: oc
    .route({ method: 'POST', path: '/audit/printed', tags, summary: 'Record that a page was printed' })
    .input(z.strictObject({ kind: z.enum(printedKinds), contactIds: z.array(z.uuid()).max(500) })),
}
