import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { viewNames, timePointNames } from '../photos/rules.ts'
import { ageBands, downloadPurposes, endReasons, linkPurposes, purposeNames, useLimits } from './rules.ts'

export const photoUseMessages = {
  purpose: 'Choose what the photos are used for',
  photos: 'Choose photos',
  tooMany: `Choose at most ${useLimits.photos} photos at once`,
  tooManyDownloaded: `Choose at most ${useLimits.downloaded} photos at once`,
  reason: 'Enter the reason',
  place: 'Enter where the photos are',
  note: 'Enter how the consent was given',
  recipient: 'Enter who receives the photos',
  email: 'Enter the recipient’s email address',
  by: 'Enter who withdrew it',
  future: 'This day is in the future',
  beforeGiven: 'It was not given yet on this day',
  past: 'This day has passed',
  otherPatient: 'These are not photos of this patient',
  noEmail: 'This patient has no email address. Without one, the portal can’t be opened.',
  noLink: 'This link has ended or is not complete. Ask the clinic for a new one.',
} as const

const purpose = z.enum(purposeNames, photoUseMessages.purpose)
const idsOf = (max: number, tooMany: string) =>
  z
    .array(z.uuid(photoUseMessages.photos), photoUseMessages.photos)
    .min(1, photoUseMessages.photos)
    .max(max, tooMany)
    .transform((ids) => [...new Set(ids)])
const photoIds = idsOf(useLimits.photos, photoUseMessages.tooMany)

/** What POST /api/contacts/{id}/photos.zip is sent; see download.ts. */
export const photoDownload = z.strictObject({
  photoIds: idsOf(useLimits.downloaded, photoUseMessages.tooManyDownloaded),
  purpose: z.enum(downloadPurposes, photoUseMessages.purpose),
  reason: requiredLine(useLimits.reason, photoUseMessages.reason),
})
const place = optionalText(useLimits.place).default(null)
const byId = z.strictObject({ id: z.uuid() })
const ofContact = { contactId: z.uuid() }

const consent = z.object({
  id: z.uuid(),
  source: z.enum(['form', 'recorded']),
  purpose,
  givenOn: z.string(),
  expiresOn: z.string().nullable(),
  isWithdrawn: z.boolean(),
  /** 'yyyy-MM-dd' */
  withdrawnOn: z.string().nullable(),
  withdrawnBy: z.string().nullable(),
  /** The title of the form, or how it was given. */
  note: z.string(),
  photoIds: z.array(z.uuid()).nullable(),
})
export type ShownConsent = z.output<typeof consent>

const use = z.object({
  id: z.uuid(),
  photoId: z.uuid(),
  purpose,
  consentId: z.uuid(),
  linkId: z.uuid().nullable(),
  place: z.string().nullable(),
  begunAt: z.date(),
  begunBy: z.uuid().nullable(),
  /** Live: it shows the photo now. */
  isLive: z.boolean(),
  endedAt: z.date().nullable(),
  endReason: z.enum(endReasons).nullable(),
  removedAt: z.date().nullable(),
})

const link = z.object({
  id: z.uuid(),
  purpose,
  recipient: z.string(),
  email: z.string(),
  photoIds: z.array(z.uuid()),
  createdAt: z.date(),
  expiresAt: z.date(),
  endedAt: z.date().nullable(),
  opened: z.number().int(),
  openedAt: z.date().nullable(),
})

/** A photo that the patient sees in the portal now. */
const release = z.object({ photoId: z.uuid(), releasedAt: z.date(), releasedBy: z.uuid().nullable() })

const patientUses = z.object({
  consents: z.array(consent),
  uses: z.array(use),
  links: z.array(link),
  releases: z.array(release),
})
export type PatientUses = z.output<typeof patientUses>

const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const invalidReference = {
  INVALID_REFERENCE: { status: 422, message: 'Some fields are not valid', data: z.object({ fields: z.record(z.string(), z.string()) }) },
} as const
export const noConsentMessage = 'The patient has not consented to this use of every photo'
const noConsent = {
  NO_CONSENT: {
    status: 409,
    message: noConsentMessage,
    data: z.object({
      photos: z.array(z.object({ id: z.uuid(), gap: z.enum(['none', 'withdrawn', 'expired', 'other_photos', 'before_treatment']) })),
    }),
  },
} as const
const tags = ['Use of photos']

/** One side of a pair. `image`: its address. */
const side = z.object({ image: z.string(), timePoint: z.enum(timePointNames), title: z.string().nullable() })
const pair = z.object({
  id: z.string(),
  /** The same for the views of one patient and procedure. It says nothing else. */
  caseId: z.string(),
  procedure: z.string().nullable(),
  technique: z.string().nullable(),
  ageBand: z.enum(ageBands).nullable(),
  view: z.enum(viewNames),
  before: side,
  after: side,
})
export type GalleryPair = z.output<typeof pair>

export const photoUsesContract = {
  ofContact: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/photo-uses',
      tags,
      summary: 'List where a patient’s photos are used, and by which consents',
    })
    .input(z.strictObject(ofContact))
    .errors(noPatient)
    .output(patientUses),
  recordConsent: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/photo-consents',
      tags,
      summary: 'Record a consent to uses of photos that was given without a consent form',
    })
    .input(
      z.strictObject({
        ...ofContact,
        purposes: z
          .array(purpose, photoUseMessages.purpose)
          .min(1, photoUseMessages.purpose)
          .max(purposeNames.length, photoUseMessages.purpose)
          .transform((names) => purposeNames.filter((name) => names.includes(name))),
        photoIds: photoIds.nullable().default(null),
        givenOn: calendarDay,
        expiresOn: calendarDay.nullable().default(null),
        note: requiredLine(useLimits.note, photoUseMessages.note),
      }),
    )
    .errors({ ...noPatient, ...invalidReference })
    .output(patientUses),
  withdrawConsent: oc
    .route({ method: 'POST', path: '/photo-consents/{id}/withdraw', tags, summary: 'Record that a patient withdrew such a consent' })
    .input(byId.extend({ on: calendarDay, by: requiredLine(useLimits.name, photoUseMessages.by) }))
    .errors({ NOT_FOUND: { status: 404, message: 'This consent does not exist' }, ...invalidReference })
    .output(patientUses),
  begin: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/photo-uses',
      tags,
      summary: 'Use photos for a purpose that the patient consented to',
    })
    .input(z.strictObject({ ...ofContact, photoIds, purpose, place }))
    .errors({ ...noPatient, ...invalidReference, ...noConsent })
    .output(patientUses),
  end: oc
    .route({
      method: 'POST',
      path: '/photo-uses/{id}/end',
      tags,
      summary: 'End a use of a photo, or note that it was removed from its place',
    })
    .input(
      z.strictObject({
        id: z.uuid(),
        /** Staff removed the photo from its place, of a use that shows nothing any more. */
        removed: z.boolean().default(false),
      }),
    )
    .errors({ NOT_FOUND: { status: 404, message: 'This use does not exist' } })
    .output(patientUses),
  share: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/photo-links', tags, summary: 'Email a link that shows photos to one person' })
    .input(
      z.strictObject({
        ...ofContact,
        photoIds,
        purpose: z.enum(linkPurposes, photoUseMessages.purpose),
        recipient: requiredLine(useLimits.name, photoUseMessages.recipient),
        email: z.email(photoUseMessages.email).max(254, photoUseMessages.email),
        days: z
          .number('Enter days')
          .int('Enter days')
          .min(1, 'At least 1 day')
          .max(useLimits.days, `At most ${useLimits.days} days`)
          .default(7),
      }),
    )
    .errors({ ...noPatient, ...invalidReference, ...noConsent })
    .output(patientUses),
  endLink: oc
    .route({ method: 'POST', path: '/photo-links/{id}/end', tags, summary: 'End a link to photos' })
    .input(byId)
    .errors({ NOT_FOUND: { status: 404, message: 'This link does not exist' } })
    .output(patientUses),
  release: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/photo-releases', tags, summary: 'Show a patient their own photos in the portal' })
    .input(
      z.strictObject({
        ...ofContact,
        photoIds,
        /** Whether the patient gets an email that photos are in the portal. */
        notify: z.boolean().default(false),
      }),
    )
    .errors({ ...noPatient, ...invalidReference })
    .output(patientUses),
  takeBack: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/photo-releases/take-back',
      tags,
      summary: 'Stop showing a patient photos in the portal',
    })
    .input(z.strictObject({ ...ofContact, photoIds }))
    .errors({ ...noPatient, ...invalidReference })
    .output(patientUses),
}

const galleryQuery = {
  procedureId: z.uuid('Choose a procedure').optional(),
  ageBand: z.enum(ageBands, 'Choose an age').optional(),
  technique: optionalText(useLimits.technique).optional(),
}

export const consultGalleryContract = {
  list: oc
    .route({
      method: 'GET',
      path: '/consult-gallery',
      tags,
      summary: 'List pairs of photos before and after, of patients who agreed to the consult room, without names',
    })
    .input(z.strictObject(galleryQuery))
    .output(z.array(pair)),
}

export const galleryContract = {
  feed: oc
    .route({
      method: 'GET',
      path: '/gallery',
      tags,
      summary: 'List pairs of photos for the practice’s website, of patients who agreed to it, without names',
    })
    .input(z.strictObject(galleryQuery))
    .output(z.array(pair)),
}

/** Calls behind the link in an email. Its secret is the only credential. */
export const sharedPhotosContract = {
  open: oc
    .route({ method: 'GET', path: '/shared-photos/{token}', tags, summary: 'List the photos behind a link' })
    .input(z.strictObject({ token: z.string().max(200, photoUseMessages.noLink).refine(isStorable, notStorable) }))
    .errors({
      NOT_FOUND: { status: 404, message: photoUseMessages.noLink },
      TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please wait a minute.' },
    })
    .output(
      z.object({
        recipient: z.string(),
        /** Of a referral: whom the photos show. */
        patient: z.object({ name: z.string(), dateOfBirth: z.string().nullable() }).nullable(),
        expiresAt: z.date(),
        photos: z.array(
          z.object({
            id: z.uuid(),
            view: z.enum(viewNames),
            timePoint: z.enum(timePointNames),
            title: z.string().nullable(),
            takenOn: z.string(),
          }),
        ),
      }),
    ),
}
