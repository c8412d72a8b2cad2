import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { idempotencyKeyShape, optionalText, personName } from '../../shared/text-shapes.ts'
import { languages } from '../../shared/translations.ts'
import { depositKinds } from '../availability/terms-rules.ts'
import { openingDays, openingsOfVisit } from '../availability/contract.ts'
import { patientKinds } from '../availability/rules.ts'
import { byToken, inOrder, suitableTimes } from '../waiting-list/contract.ts'
import { attributionNames, bookingLimits, bookingMessages } from './rules.ts'

const text = z.string()
const practice = z.object({
  name: text,
  subtitle: text,
  subtitleFr: text.nullable(),
  phone: text,
  address: text,
  timeZone: text,
  /** Days of the week on which it is open, 1 (Monday) to 7; all days if no hours are set. */
  openDays: z.array(z.number().int()),
  brandHue: z.number().nullable(),
  /** The hash in the address of its logo; null: none. */
  logo: text.nullable(),
  demo: z.boolean(),
})

const offer = z.object({
  id: z.uuid(),
  name: text,
  nameFr: text.nullable(),
  description: text.nullable(),
  descriptionFr: text.nullable(),
  minutes: z.number().int(),
  patients: z.enum(patientKinds),
  changeHours: z.number().int(),
  priceCents: z.number().int().nullable(),
  depositKind: z.enum(depositKinds),
  /** What is paid with the booking; 0: nothing. */
  depositCents: z.number().int(),
  /** For cancelling late, where something is paid or left with the booking; 0: none. */
  lateFeeCents: z.number().int(),
  providers: z.array(z.object({ id: z.uuid(), name: text })),
})
export type Offer = z.output<typeof offer>

const terms = z.object({
  depositCents: z.number().int(),
  keepsCard: z.boolean(),
  lateFeeCents: z.number().int(),
  noShowFeeCents: z.number().int(),
  changeHours: z.number().int(),
})

const step = z.object({
  /** Until when the time is held. */
  heldUntil: z.date(),
  startsAt: z.date(),
  provider: text.nullable(),
  /** What this patient has to agree to and pay before it is booked; null: nothing. */
  terms: terms.nullable(),
})
export type HeldTime = z.output<typeof step>

const booked = z.object({
  startsAt: z.date(),
  minutes: z.number().int(),
  provider: text.nullable(),
  place: text,
  /** Where the patient moves or cancels it. */
  link: text,
  /** The file that adds it to a calendar. */
  calendarFile: text,
  /** The forms that this booking sent and that can be filled in, with the links to them. */
  forms: z.array(z.object({ name: text, nameFr: text, link: text })),
})
export type BookedVisit = z.output<typeof booked>

const email = z
  .string({ error: bookingMessages.email })
  .trim()
  .min(1, bookingMessages.email)
  .max(254, bookingMessages.emailInvalid)
  .pipe(z.email(bookingMessages.emailInvalid))
const attributionValue = z.string().max(2_000, 'Use at most 2,000 characters').refine(isStorable, notStorable)
const time = {
  visitTypeId: z.uuid('Choose a visit'),
  /** Null: anyone. */
  providerId: z.uuid('Choose a provider').nullable().default(null),
  startsAt: instant,
}
const ownKey = z.strictObject({ /** Of the booking, as it was begun with. */ key: idempotencyKeyShape })

const tooMany = { TOO_MANY_REQUESTS: { status: 429, message: bookingMessages.tooMany } } as const
const noVisit = { NO_VISIT: { status: 404, message: bookingMessages.noVisit } } as const
const over = { OVER: { status: 410, message: bookingMessages.over } } as const
const taken = { TAKEN: { status: 409, message: bookingMessages.taken } } as const
const refusedPatient = {
  NOT_FOR_YOU: { status: 409, message: bookingMessages.notForYou },
  TOO_MANY_VISITS: { status: 409, message: bookingMessages.tooManyVisits },
} as const
const unpaid = {
  UNPAID: { status: 402, message: bookingMessages.unpaid },
  PROCESSING: { status: 409, message: bookingMessages.processing },
  PAYMENTS_UNAVAILABLE: { status: 503, message: bookingMessages.noPayments },
} as const
const tags = ['Self-booking']
const post = (path: `/${string}`, summary: string) => oc.route({ method: 'POST', path, tags, summary })

/** Calls of the page where patients book themselves. They need no session: the key of a booking, which the page makes, is its only credential. */
export const selfBookingContract = {
  offers: oc
    .route({ method: 'GET', path: '/booking', tags, summary: 'Get the practice and the visits that patients may book themselves' })
    .errors(tooMany)
    .output(z.object({ practice, visits: z.array(offer) })),
  openings: oc
    .route({
      method: 'GET',
      path: '/booking/openings',
      tags,
      summary: 'List the times of some days at which a visit can be booked, and the next one',
    })
    .input(
      z.strictObject({
        visitTypeId: time.visitTypeId,
        providerId: z.uuid('Choose a provider').optional(),
        ...openingDays,
      }),
    )
    .errors({ ...noVisit, ...tooMany })
    .output(openingsOfVisit),
  begin: post('/booking/requests', 'Begin to book a visit: sends a code to the address; the same key begins once')
    .input(
      ownKey.extend({
        ...time,
        /** Null: none suits, and the patient wants to join the waiting list. */
        startsAt: time.startsAt.nullable(),
        firstName: personName(100, 'First name', bookingMessages.firstName),
        lastName: personName(100, 'Last name', bookingMessages.lastName),
        email,
        phone: optionalText(50)
          .refine((phone) => phone === null || phone.replace(/\D/g, '').length >= 10, bookingMessages.phone)
          .default(null),
        language: z.enum(languages, 'Choose a language'),
        words: optionalText(bookingLimits.words).default(null),
        /** Where the patient came from, under the names that lead forms use, such as utm_source. */
        attribution: z.partialRecord(z.enum(attributionNames), attributionValue).default({}),
      }),
    )
    .errors({ ...noVisit, ...taken, ...tooMany, KEY_REUSED: { status: 409, message: 'This key was used for another booking' } })
    .output(z.object({ codeExpiresAt: z.date() })),
  resend: post('/booking/code', 'Send another code, which replaces the one before')
    .input(ownKey)
    .errors({ ...over, ...tooMany })
    .output(z.object({ codeExpiresAt: z.date() })),
  /** Without times if none was chosen: then only the address is proved. */
  prove: post('/booking/proof', 'Prove the address with the code, which holds the time')
    .input(
      ownKey.extend({
        code: z
          .string()
          .trim()
          .regex(new RegExp(`^\\d{${bookingLimits.codeLength}}$`), bookingMessages.badCode),
      }),
    )
    .errors({ ...over, ...taken, ...refusedPatient, ...tooMany, INVALID_CODE: { status: 401, message: bookingMessages.badCode } })
    .output(z.object({ ...step.shape, heldUntil: z.date().nullable(), startsAt: z.date().nullable() })),
  hold: post('/booking/time', 'Hold another time once the address is proved; the one before is free again')
    .input(ownKey.extend({ providerId: time.providerId, startsAt: time.startsAt }))
    .errors({ ...over, ...taken, ...refusedPatient, ...tooMany })
    .output(step),
  holdOffer: post(
    '/booking/offers',
    'Begin to book the time of an offer from the waiting list, and hold it; the link of the offer proves the address',
  )
    .input(byToken)
    .errors({ ...over, ...taken, ...refusedPatient, ...tooMany })
    .output(z.object({ ...step.shape, /** Of the booking, for the steps that follow. */ key: z.uuid(), visitTypeId: z.uuid() })),
  pay: post(
    '/booking/payment',
    'Accept the terms of the visit and start the payment of its deposit; nothing is charged before Stripe’s form confirms it',
  )
    .input(ownKey.extend({ language: z.enum(languages, 'Choose a language'), acceptsTerms: z.literal(true, bookingMessages.terms) }))
    .errors({
      ...over,
      ...taken,
      ...refusedPatient,
      ...tooMany,
      ...unpaid,
      NO_DEPOSIT: { status: 409, message: bookingMessages.noDeposit },
    })
    .output(
      z.object({
        heldUntil: z.date(),
        /** Null: it is paid already. */
        form: z
          .object({
            clientSecret: text,
            publishableKey: text,
            jsUrl: z.url(),
            /** To what the patient agrees by leaving the card; null: it is not kept. */
            consent: text.nullable(),
          })
          .nullable(),
      }),
    ),
  confirm: post('/booking/confirmation', 'Book the time that is held, once what it needs is paid; idempotent')
    .input(ownKey)
    .errors({ ...over, ...taken, ...refusedPatient, ...tooMany, ...unpaid })
    .output(booked),
  wait: post('/booking/waiting-list', 'Join the waiting list once the address is proved, instead of booking a time; idempotent')
    .input(inOrder(ownKey.extend(suitableTimes)))
    .errors({ ...over, ...noVisit, ...refusedPatient, ...tooMany }),
  free: post('/booking/time-release', 'Free the time that a booking holds; the booking goes on').input(ownKey).errors(tooMany),
  leave: post('/booking/end', 'End a booking that was not finished; its time is free again').input(ownKey).errors(tooMany),
}
