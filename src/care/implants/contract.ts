import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { optionalText, anyLine, requiredLine } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'
import { deviceLimits, deviceMessages } from '../devices/contract.ts'
import { deviceKinds, maxQuantity, sides } from '../devices/rules.ts'
import { explantFates, maxLines } from './rules.ts'

export const implantMessages = {
  side: 'Choose the side',
  usedBy: 'Choose who placed or used it',
  noUser: 'This person is not on the staff any more',
  reason: 'Enter why',
  fate: 'Choose what happened to it',
  future: 'This can’t be in the future',
  beforePlaced: 'It was placed after this day',
  quantity: deviceMessages.quantity,
  surgery: 'This surgery is of another patient',
} as const

export const implantLimits = { position: 100, reason: 300 } as const

const device = z.object({
  id: z.uuid(),
  maker: z.string(),
  model: z.string(),
  size: z.string().nullable(),
  kind: z.enum(deviceKinds),
  udiDi: z.string().nullable(),
  hasSerials: z.boolean(),
})

const surgeryDevice = z.object({
  id: z.uuid(),
  version: z.number().int(),
  surgeryId: z.uuid(),
  device,
  lot: z.string(),
  /** 'yyyy-MM-dd' */
  expiresOn: z.string().nullable(),
  serial: z.string().nullable(),
  /** Opened; of these used, wasted and returned. */
  quantity: z.number().int(),
  used: z.number().int(),
  wasted: z.number().int(),
  returned: z.number().int(),
  side: z.enum(sides).nullable(),
  position: z.string().nullable(),
  openedBy: z.uuid().nullable(),
  openedAt: z.date(),
  usedBy: z.uuid().nullable(),
  usedAt: z.date().nullable(),
  /** Why pieces were wasted, or why the use was corrected. */
  note: z.string().nullable(),
  explantedOn: z.string().nullable(),
  explantSurgeryId: z.uuid().nullable(),
  explantReason: z.string().nullable(),
  explantFate: z.enum(explantFates).nullable(),
  explantedBy: z.uuid().nullable(),
})

const ofSurgery = z.object({
  /** What was opened for this surgery, in order. */
  devices: z.array(surgeryDevice),
  /** What the patient has from other surgeries, or had until this one. */
  earlier: z.array(surgeryDevice),
})
export type SurgeryDevices = z.output<typeof ofSurgery>

const implant = surgeryDevice.extend({ surgeryStartsAt: z.date() })
export type Implant = z.output<typeof implant>

const quantity = z
  .number(deviceMessages.quantity)
  .int(deviceMessages.quantity)
  .min(1, deviceMessages.quantity)
  .max(maxQuantity, deviceMessages.quantity)
const side = z.enum(sides, implantMessages.side).nullable().default(null)
const reason = requiredLine(implantLimits.reason, implantMessages.reason)
const change = { id: z.uuid(), version }

const opened = z
  .strictObject({
    id: z.uuid(),
    /** The UDI-DI of a label, or else the device. */
    udiDi: optionalText(14).default(null),
    deviceId: z.uuid('Choose a device').nullable().default(null),
    lot: requiredLine(deviceLimits.lot, deviceMessages.lot),
    serial: requiredLine(deviceLimits.serial, deviceMessages.serial).nullable().default(null),
    /** What the label says: another expiry than that of the lot is refused. */
    expiresOn: calendarDay.nullable().default(null),
    quantity: quantity.default(1),
    side,
  })
  .refine(({ udiDi, deviceId }) => (udiDi === null) !== (deviceId === null), {
    path: ['deviceId'],
    message: 'Scan a label or choose a device',
  })
export type Opened = z.output<typeof opened>

const noSurgery = { NOT_FOUND: { status: 404, message: 'This surgery does not exist' } } as const
const noDevice = { NOT_FOUND: { status: 404, message: 'This device does not exist' } } as const
const invalidFields = {
  INVALID_REFERENCE: { status: 422, message: 'Some fields are not valid', data: z.object({ fields: z.record(z.string(), z.string()) }) },
} as const
const closed = { SURGERY_CLOSED: { status: 409, message: 'This surgery is completed, postponed or cancelled' } } as const
const notOpen = { NOT_OPEN: { status: 409, message: 'There are not that many opened pieces any more' } } as const
const tags = ['Implants']

export const implantsContract = {
  ofSurgery: oc
    .route({
      method: 'GET',
      path: '/surgeries/{id}/devices',
      tags,
      summary: 'List the devices that were opened for a surgery, and the patient’s earlier implants',
    })
    .input(z.strictObject({ id: z.uuid() }))
    .errors(noSurgery)
    .output(ofSurgery),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/implants', tags, summary: 'List a patient’s implants, newest first' })
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.array(implant)),
  open: oc
    .route({
      method: 'POST',
      path: '/surgeries/{id}/devices',
      tags,
      summary: 'Open pieces of stock for a surgery: refused if unknown, expired, recalled, used already or made for the other side',
    })
    .input(opened)
    .errors({
      ...noSurgery,
      ...invalidFields,
      ...closed,
      UNKNOWN_DEVICE: { status: 409, message: 'The catalogue does not have this device. Do not use it before it was received.' },
      UNKNOWN_LOT: { status: 409, message: 'This lot was never received' },
      OTHER_EXPIRY: { status: 409, message: 'The label says another expiry than the lot in stock. Do not use it before that is clear.' },
      EXPIRED: { status: 409, message: 'This has expired. Do not use it.' },
      RECALLED: { status: 409, message: 'This was recalled. Do not use it.' },
      WRONG_SIDE: { status: 409, message: 'This is made for the other side' },
      ALREADY_USED: { status: 409, message: 'This serial number was used or opened already' },
      NOT_IN_STOCK: { status: 409, message: 'This is not in stock' },
      FULL: { status: 409, message: `A surgery takes at most ${maxLines} lines of devices` },
    })
    .output(ofSurgery),
  use: oc
    .route({
      method: 'POST',
      path: '/surgery-devices/{id}/use',
      tags,
      summary: 'Record that opened pieces were placed in the patient or used on them; implants join the health summary',
    })
    .input(
      z.strictObject({
        ...change,
        quantity: quantity.default(1),
        side,
        position: anyLine(implantLimits.position)
          .transform((value) => value || null)
          .nullable()
          .default(null),
        usedBy: z.uuid(implantMessages.usedBy),
      }),
    )
    .errors({
      ...noDevice,
      ...invalidFields,
      ...closed,
      ...notOpen,
      ...changedMeanwhile,
      WRONG_SIDE: { status: 409, message: 'This is made for the other side' },
    })
    .output(ofSurgery),
  waste: oc
    .route({ method: 'POST', path: '/surgery-devices/{id}/waste', tags, summary: 'Record that opened pieces were wasted' })
    .input(z.strictObject({ ...change, quantity: quantity.default(1), reason }))
    .errors({ ...noDevice, ...closed, ...notOpen, ...changedMeanwhile })
    .output(ofSurgery),
  return: oc
    .route({ method: 'POST', path: '/surgery-devices/{id}/return', tags, summary: 'Return pieces that were not used to stock' })
    .input(z.strictObject({ ...change, quantity: quantity.default(1), placeId: z.uuid(deviceMessages.place) }))
    .errors({ ...noDevice, ...invalidFields, ...closed, ...notOpen, ...changedMeanwhile })
    .output(ofSurgery),
  correct: oc
    .route({
      method: 'POST',
      path: '/surgery-devices/{id}/correct',
      tags,
      summary: 'Correct a use that was recorded by mistake: the pieces are opened again, and the health summary says that it was an error',
    })
    .input(z.strictObject({ ...change, reason }))
    .errors({
      ...noDevice,
      ...closed,
      ...changedMeanwhile,
      NOT_USED: { status: 409, message: 'This was not used, or was taken out since' },
    })
    .output(ofSurgery),
  explant: oc
    .route({ method: 'POST', path: '/surgery-devices/{id}/explant', tags, summary: 'Record that an implant was taken out' })
    .input(
      z.strictObject({
        ...change,
        /** The surgery in which it was taken out; null if that was elsewhere. */
        surgeryId: z.uuid().nullable().default(null),
        explantedOn: calendarDay,
        reason,
        fate: z.enum(explantFates, implantMessages.fate),
      }),
    )
    .errors({
      ...noDevice,
      ...invalidFields,
      ...changedMeanwhile,
      NOT_PRESENT: { status: 409, message: 'This implant is not in the patient' },
    })
    .output(z.array(implant)),
}
