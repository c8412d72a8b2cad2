import { oc } from '@orpc/contract'
import { z } from 'zod'
import { contact } from '../../crm/contacts/contract.ts'
import { mergeFieldNames } from '../../crm/contacts/fields.ts'
import { undoDays } from './rules.ts'
import { allContactTables } from '../../kernel/patient-tables/rules.ts'

/** The same patient, however the id is written: the two of a merge are compared. */
const anyCase = z.uuid().toLowerCase()
const byId = z.strictObject({ id: anyCase })
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

/** A field or a row that someone has changed since the merge. */
const undoConflict = z.object({
  /** Names it in `decisions`. */
  key: z.string(),
  kind: z.enum(['field', 'changed-row', 'removed-row']),
  /** Of a field: its name. Of a row: its table. */
  of: z.string(),
  /** What the row is about. */
  title: z.string().nullable(),
  /** Of a field: what it was before the merge, and what it is now; by the columns of a contact. */
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

/** Part of the contacts' calls. `id` is always the target: the patient who stays. */
export const mergesContract = {
  mergePreview: oc
    .route({
      method: 'GET',
      path: '/contacts/{id}/merge-preview',
      tags,
      summary: 'Both patients side by side, and what a merge would move',
    })
    .input(byId.extend({ sourceId: anyCase }))
    .errors({ ...contactMissing, ...sameContact })
    .output(
      z.object({
        target: contact,
        source: contact,
        moves,
        /** Either withdrew from commercial email, and neither has given express consent since: then the merged patient has no consent, whatever is chosen. */
        isConsentWithdrawn: z.boolean(),
      }),
    ),
  merge: oc
    .route({ method: 'POST', path: '/contacts/{id}/merge', tags, summary: 'Merge the source into this contact, whole or not at all' })
    .input(
      byId.extend({
        sourceId: anyCase,
        /** The versions of both that were seen. */
        version,
        sourceVersion: version,
        /** Whose value each field takes; by default the target's, or the source's where the target has none. */
        choices: z.partialRecord(z.enum(mergeFieldNames), z.enum(['target', 'source'])).default({}),
        /** Whether the source's emails and phones are kept besides the target's. */
        keepAddresses: z.boolean().default(true),
      }),
    )
    .errors({
      ...contactMissing,
      ...sameContact,
      CHANGED_SINCE: { status: 409, message: 'One of the two patients was changed in the meantime. Nothing was merged.' },
    })
    .output(contact.extend({ mergeId: z.uuid() })),
  merges: oc
    .route({
      method: 'GET',
      path: '/contacts/{id}/merges',
      tags,
      summary: `The merges into this contact that can be undone (${undoDays} days), newest first`,
    })
    .input(byId)
    .errors(contactMissing)
    .output(z.array(merge)),
  undoMerge: oc
    .route({ method: 'POST', path: '/merges/{id}/undo', tags, summary: 'Take a merge back: the source returns with what was its own' })
    .input(
      byId.extend({
        /** Of each conflict that was shown: whether the later edit stays or what was there before the merge comes back. */
        decisions: z.record(z.string().max(200), z.enum(['keep', 'restore'])).default({}),
        /** The target's version that the conflicts were shown with. */
        version: version.optional(),
      }),
    )
    .errors({
      NOT_FOUND: { status: 404, message: 'This merge no longer exists' },
      ALREADY_UNDONE: { status: 409, message: 'This merge was undone already' },
      UNDO_EXPIRED: { status: 409, message: `A merge can be undone for ${undoDays} days` },
      TARGET_MERGED: {
        status: 409,
        message: 'The patient was merged into another one since. Undo that merge first.',
        data: z.object({ mergeId: z.uuid(), intoId: z.uuid() }),
      },
      UNDO_CONFLICTS: {
        status: 409,
        message: 'Something was changed since the merge. Nothing was undone yet.',
        data: z.object({ version, target: contact, conflicts: z.array(undoConflict) }),
      },
    })
    .output(z.object({ targetId: z.uuid(), sourceId: z.uuid() })),
}
