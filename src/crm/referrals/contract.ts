import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredLine } from '../../shared/text-shapes.ts'

export const referralMessages = {
  none: 'Choose the patient, or type a name',
  patient: 'This patient does not exist',
  self: 'Patients cannot refer themselves',
} as const

/** The longest name of a referrer, as of the field “Referred by”. */
export const maxReferrerName = 200
/** How many of the patients that someone referred are listed. */
const maxReferred = 50

const patient = z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() })
const found = z.object({
  /** The patient who referred this one. A practice or person is the patient's field `referredBy`. */
  referrer: patient.nullable(),
  /** The patients that this one referred, newest first. */
  referred: z.array(patient).max(maxReferred),
  total: z.number().int(),
})

const byContact = z.strictObject({ contactId: z.uuid() })
const tags = ['Referrals']
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const

/** The fields of the dialog: a patient, or the name of a practice or person. */
export const referrerFields = z
  .strictObject({
    patientId: z.uuid().nullable().default(null),
    name: requiredLine(maxReferrerName, referralMessages.none).nullable().default(null),
    /** Whether the owner gets a task to thank the referrer. */
    createTask: z.boolean().default(true),
  })
  .superRefine(({ patientId, name }, context) => {
    if ((patientId === null) === (name === null))
      context.addIssue({ code: 'custom', path: [patientId === null ? 'patientId' : 'name'], message: referralMessages.none })
  })

export const referralsContract = {
  ofContact: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/referrals',
      tags,
      summary: 'Get who referred a patient, and whom the patient referred',
    })
    .input(byContact)
    .errors(noPatient)
    .output(found),
  setReferrer: oc
    .route({
      method: 'PUT',
      path: '/contacts/{contactId}/referrer',
      tags,
      summary: 'Record who referred a patient: another patient, or a name',
    })
    .input(referrerFields.safeExtend(byContact.shape))
    .errors({
      ...noPatient,
      INVALID_REFERENCE: {
        status: 422,
        message: 'Please check the marked fields',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
    })
    .output(found),
  removeReferrer: oc
    .route({ method: 'DELETE', path: '/contacts/{contactId}/referrer', tags, summary: 'Remove who referred a patient' })
    .input(byContact)
    .errors(noPatient)
    .output(found),
}
export type Referrals = z.output<typeof found>
export const referralLimits = { maxReferred } as const
