import { oc } from '@orpc/contract'
import { z } from 'zod'
import { optionalText, requiredText } from '../../shared/text-shapes.ts'
import { idInput, invalidFields } from '../reservations/contract.ts'
import { phaseOutcomes, safetyAnswers, safetyItemIds, safetyPhases } from './safety-rules.ts'

export const safetyMessages = {
  item: 'The checklist has no such item',
  answer: 'This is not an answer to this item',
  reason: 'Enter a reason',
  noBirthDate: 'Add the patient’s birth date to their record before you confirm who they are',
} as const

const phase = z.enum(safetyPhases, 'Choose a phase')

/** A phase of a surgery's safety checklist, without its answers. */
export const safetyState = z.object({
  phase,
  /** Null: still open. */
  outcome: z.enum(phaseOutcomes).nullable(),
  closedAt: z.date().nullable(),
  /** Null also for surgeries from before the checklist existed. */
  closedBy: z.uuid().nullable(),
})
export type SafetyState = z.output<typeof safetyState>

const answer = z.object({
  id: z.uuid(),
  phase,
  item: z.string(),
  answer: z.enum(safetyAnswers),
  note: z.string().nullable(),
  answeredAt: z.date(),
  answeredBy: z.uuid(),
})

/** How the team knows that this is the patient. */
const identity = z.strictObject({ name: z.string().max(300), dateOfBirth: z.string().max(10) })

const checklist = z.object({
  surgeryId: z.uuid(),
  contactId: z.uuid(),
  /** The day of the surgery, 'yyyy-MM-dd': on another day, the checklist begins again. */
  day: z.string(),
  /** As the record says it now. */
  identity: z.object({ name: z.string(), dateOfBirth: z.string().nullable() }),
  phases: z.array(
    safetyState.extend({
      /** Why it was waived. */
      reason: z.string().nullable(),
      /** As it was confirmed. */
      identity: z.object({ name: z.string(), dateOfBirth: z.string() }).nullable(),
    }),
  ),
  /** Every answer, also earlier ones to the same item, oldest first. */
  answers: z.array(answer),
})
export type SafetyChecklist = z.output<typeof checklist>

const current = z.object({ current: checklist })
const noSurgery = { NOT_FOUND: { status: 404, message: 'This surgery does not exist' } } as const
const refusals = {
  TOO_EARLY: { status: 409, message: 'The safety checklist begins on the day of the surgery' },
  NOT_TAKING_PLACE: { status: 409, message: 'This surgery is postponed or cancelled' },
  CLOSED: { status: 409, message: 'This phase is closed and can no longer be changed', data: current },
} as const
const tags = ['Surgeries']

export const safetyContract = {
  get: oc
    .route({
      method: 'GET',
      path: '/surgeries/{id}/safety-checklist',
      tags,
      summary: 'Get the surgical safety checklist of a surgery, with its answers',
    })
    .input(idInput)
    .errors(noSurgery)
    .output(checklist),
  answer: oc
    .route({
      method: 'POST',
      path: '/surgeries/{id}/safety-checklist/answers',
      tags,
      summary: 'Answer an item of an open phase; earlier answers are kept',
    })
    .input(
      idInput.extend({
        item: z.enum(safetyItemIds, safetyMessages.item),
        answer: z.enum(safetyAnswers, safetyMessages.answer),
        note: optionalText(500).default(null),
      }),
    )
    .errors({ ...noSurgery, ...refusals, ...invalidFields })
    .output(checklist),
  confirm: oc
    .route({
      method: 'POST',
      path: '/surgeries/{id}/safety-checklist/confirmations',
      tags,
      summary: 'Confirm a phase in which every item is answered; nothing in it can be changed afterwards',
    })
    .input(
      idInput.extend({
        phase,
        /** The name and birth date that the team has compared with the patient. Required at sign in and time out. */
        identity: identity.nullable().default(null),
        /** The newest answer that was on the screen, so that nothing is confirmed that was not read. */
        lastAnswerId: z.uuid('Say which answers were read'),
      }),
    )
    .errors({
      ...noSurgery,
      ...refusals,
      OUT_OF_ORDER: { status: 409, message: 'Confirm the phase before this one first' },
      INCOMPLETE: {
        status: 409,
        message: 'Some items are not answered, or stop the team',
        data: z.object({ open: z.array(z.string()), stopped: z.array(z.string()) }),
      },
      IDENTITY_MISMATCH: { status: 409, message: 'The name or birth date in the record differs from what was confirmed', data: current },
      NO_BIRTH_DATE: { status: 409, message: safetyMessages.noBirthDate },
      CONFLICT: { status: 409, message: 'Someone has answered in the meantime', data: current },
    })
    .output(checklist),
  waive: oc
    .route({
      method: 'POST',
      path: '/surgeries/{id}/safety-checklist/waivers',
      tags,
      summary: 'Waive the phases that are still open, with a reason',
    })
    .input(idInput.extend({ reason: requiredText(500, safetyMessages.reason) }))
    .errors({ ...noSurgery, ...refusals })
    .output(checklist),
}
