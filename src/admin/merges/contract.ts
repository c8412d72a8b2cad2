import { oc } from '@orpc/contract'
import { z } from 'zod'
import { contact } from '../../crm/contacts/contact-contract.ts'
import { mergeFieldNames } from '../../crm/contacts/derived-fields.ts'
import { undoDays } from './rules.ts'
import { allContactTables } from '../../kernel/patient-tables/rules.ts'

/** A contact id in lower case, because the ids of target and source are compared. */
const contactId = z.uuid().toLowerCase()
const byId = z.strictObject({ id: contactId })
const version = z.number().int().min(1)
const tags = ['Contacts']

const moves = z.array(
  z.object({
    kind: z.enum(allContactTables),
    /** How many rows move to the target, and how many are dropped because the target has the same already. */
    moved: z.number().int(),
    dropped: z.number().int(),
  }),
)

/** A field or a row that someone changed after the merge. */
const undoConflict = z.object({
  /** Its key in `decisions`. */
  key: z.string(),
  kind: z.enum(['field', 'changed-row', 'removed-row']),
  /** The name of the field, or the table of the row. */
  of: z.string(),
  /** A short description of the row. */
  title: z.string().nullable(),
  /** For a field: its values before the merge and now, keyed by contact column. */
  before: z.record(z.string(), z.unknown()).nullable(),
  now: z.record(z.string(), z.unknown()).nullable(),
})
export type UndoConflict = z.output<typeof undoConflict>

const merge = z.object({
  id: z.uuid(),
  sourceId: z.uuid(),
  sourceName: z.string(),
  mergedAt: z.date(),
  mergedBy: z.uuid().nullable(),
  undoUntil: z.date(),
})

const contactMissing = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const sameContact = {
  SAME_CONTACT: {
    status: 422,
    message: 'A patient cannot be merged with itself',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const

/** Part of the contacts API. `id` is always the target: the patient who is kept. */
export const mergesContract = {
  mergePreview: oc
    .route({
      method: 'GET',
      path: '/contacts/{id}/merge-preview',
      tags,
      summary: 'Preview a merge: both patients and what would move',
    })
    .input(byId.extend({ sourceId: contactId }))
    .errors({ ...contactMissing, ...sameContact })
    .output(
      z.object({
        target: contact,
        source: contact,
        moves,
        /**
         * True if either withdrew from commercial email and neither has given express consent since. The merged patient then has no
         * consent, whatever is chosen.
         */
        isConsentWithdrawn: z.boolean(),
      }),
    ),
  merge: oc
    .route({ method: 'POST', path: '/contacts/{id}/merge', tags, summary: 'Merge the source into this contact in one transaction' })
    .input(
      byId.extend({
        sourceId: contactId,
        /** The versions of target and source that the caller saw. */
        version,
        sourceVersion: version,
        /** Which patient each field is taken from; by default the target, or the source where the target is empty. */
        choices: z.partialRecord(z.enum(mergeFieldNames), z.enum(['target', 'source'])).default({}),
        /** Whether the source's emails and phones are kept as additional ones. */
        keepAddresses: z.boolean().default(true),
      }),
    )
    .errors({
      ...contactMissing,
      ...sameContact,
      CHANGED_SINCE: { status: 409, message: 'One of the two patients has changed. Nothing was merged.' },
    })
    .output(contact.extend({ mergeId: z.uuid() })),
  merges: oc
    .route({
      method: 'GET',
      path: '/contacts/{id}/merges',
      tags,
      summary: `List the merges into this contact that can be undone (${undoDays} days), newest first`,
    })
    .input(byId)
    .errors(contactMissing)
    .output(z.array(merge)),
  undoMerge: oc
    .route({ method: 'POST', path: '/merges/{id}/undo', tags, summary: 'Undo a merge: restores the source with its own records' })
    .input(
      byId.extend({
        /** For each conflict shown: keep the later edit, or restore the state before the merge. */
        decisions: z.record(z.string().max(200), z.enum(['keep', 'restore'])).default({}),
        /** The target's version when the conflicts were shown. */
        version: version.optional(),
      }),
    )
    .errors({
      NOT_FOUND: { status: 404, message: 'This merge no longer exists' },
      ALREADY_UNDONE: { status: 409, message: 'This merge was undone already' },
      UNDO_EXPIRED: { status: 409, message: `A merge can be undone for ${undoDays} days` },
      TARGET_MERGED: {
        status: 409,
        message: 'This patient was later merged into another patient. Undo that merge first.',
        data: z.object({ mergeId: z.uuid(), intoId: z.uuid() }),
      },
      UNDO_CONFLICTS: {
        status: 409,
        message: 'Some data changed after the merge. Nothing was undone.',
        data: z.object({ version, target: contact, conflicts: z.array(undoConflict) }),
      },
    })
    .output(z.object({ targetId: z.uuid(), sourceId: z.uuid() })),
}
