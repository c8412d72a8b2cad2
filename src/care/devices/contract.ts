import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { cursorPages, instantPlace, numberedPages } from '../../shared/page-lists.ts'
import { anyLine, optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'
import { toGtin } from './barcode-rules.ts'
import { deviceKinds, maxQuantity, maxSerials, movementKinds, sides, stockWarnings } from './rules.ts'

export const deviceMessages = {
  maker: 'Enter the maker',
  model: 'Enter the model',
  kind: 'Choose a kind',
  side: 'Choose left or right',
  udiDi: 'Enter the 14 digits of the UDI-DI; the last one is a check digit',
  minimum: `Enter a whole number from 0 to ${maxQuantity.toLocaleString('en-CA')}`,
  place: 'Choose a place',
  placeName: 'Enter a name',
  noPlace: 'This place does not exist or is no longer used',
  lot: 'Enter the lot',
  serial: 'Enter a serial number',
  serials: `Enter from 1 to ${maxSerials} serial numbers`,
  serialTwice: 'A serial number is listed twice',
  noSerials: 'This device is counted by lot and has no serial numbers',
  quantity: `Enter a whole number from 1 to ${maxQuantity.toLocaleString('en-CA')}`,
  noQuantity: 'This device is counted by serial number',
  expiry: 'Enter the expiry date of a sterile device',
  expired: 'This lot has expired',
  madeOn: 'It cannot be made after today, nor after its expiry',
  samePlace: 'Choose another place',
  reason: 'Enter why',
} as const

export const deviceLimits = { maker: 100, model: 100, size: 60, lot: 20, serial: 20, place: 60, reason: 300, scan: 200 } as const

/** Characters that GS1 allows in a lot or a serial number. */
const code = (max: number, message: string) =>
  requiredLine(max, message).refine((value) => /^[!-z]+$/.test(value), 'Use letters, digits and signs without spaces')
const lot = code(deviceLimits.lot, deviceMessages.lot)
const serial = code(deviceLimits.serial, deviceMessages.serial)
const quantity = z
  .number(deviceMessages.quantity)
  .int(deviceMessages.quantity)
  .min(1, deviceMessages.quantity)
  .max(maxQuantity, deviceMessages.quantity)
const place = z.uuid(deviceMessages.place)

const device = z.object({
  id: z.uuid(),
  version: z.number().int(),
  maker: z.string(),
  model: z.string(),
  size: z.string().nullable(),
  kind: z.enum(deviceKinds),
  /** GTIN of 14 digits. */
  udiDi: z.string().nullable(),
  /** The side that it is made for; null for either. */
  side: z.enum(sides).nullable(),
  hasSerials: z.boolean(),
  isSterile: z.boolean(),
  minimum: z.number().int(),
  isActive: z.boolean(),
})
export type Device = z.output<typeof device>

const deviceInList = device.extend({
  /** Pieces at all places, with expired ones. */
  inStock: z.number().int(),
  expired: z.number().int(),
  /** Pieces that expire within 90 days. */
  expiring: z.number().int(),
  /** 'yyyy-MM-dd': the first expiry of usable pieces. */
  nextExpiry: z.string().nullable(),
  /** Fewer usable pieces than the minimum. */
  isLow: z.boolean(),
})
export type DeviceInList = z.output<typeof deviceInList>

const deviceStock = deviceInList.extend({
  /** The lots in stock, by expiry; a piece with a serial number is a line of its own. */
  lots: z.array(
    z.object({
      id: z.uuid(),
      lot: z.string(),
      expiresOn: z.string().nullable(),
      madeOn: z.string().nullable(),
      pieces: z.array(z.object({ serial: z.string().nullable(), placeId: z.uuid(), quantity: z.number().int() })),
    }),
  ),
})
export type DeviceStock = z.output<typeof deviceStock>

const stockPlace = z.object({ id: z.uuid(), name: z.string(), isActive: z.boolean() })
export type StockPlace = z.output<typeof stockPlace>

const movement = z.object({
  id: z.uuid(),
  kind: z.enum(movementKinds),
  lot: z.string(),
  serial: z.string().nullable(),
  quantity: z.number().int(),
  fromPlaceId: z.uuid().nullable(),
  toPlaceId: z.uuid().nullable(),
  /** From or for a surgery, which only those who may see implants read. */
  isForSurgery: z.boolean(),
  reason: z.string().nullable(),
  by: z.uuid().nullable(),
  at: z.date(),
})

const fields = {
  maker: requiredLine(deviceLimits.maker, deviceMessages.maker),
  model: requiredLine(deviceLimits.model, deviceMessages.model),
  size: anyLine(deviceLimits.size)
    .transform((value) => (value === '' ? null : value))
    .nullable(),
  kind: z.enum(deviceKinds, deviceMessages.kind),
  udiDi: z
    .string()
    .max(40, deviceMessages.udiDi)
    .nullable()
    .transform((typed, context) => {
      if (typed === null || typed.trim() === '') return null
      const gtin = toGtin(typed)
      if (gtin !== null) return gtin
      context.addIssue({ code: 'custom', message: deviceMessages.udiDi })
      return z.NEVER
    }),
  side: z.enum(sides, deviceMessages.side).nullable(),
  hasSerials: z.boolean('Must be true or false'),
  isSterile: z.boolean('Must be true or false'),
  minimum: z
    .number(deviceMessages.minimum)
    .int(deviceMessages.minimum)
    .min(0, deviceMessages.minimum)
    .max(maxQuantity, deviceMessages.minimum),
}
const newDevice = z.strictObject({
  ...fields,
  size: fields.size.default(null),
  udiDi: fields.udiDi.default(null),
  side: fields.side.default(null),
  minimum: fields.minimum.default(0),
})
export type NewDevice = z.output<typeof newDevice>
const changedDevice = z.strictObject({ ...fields, id: z.uuid(), version, isActive: z.boolean('Must be true or false') })
export type ChangedDevice = z.output<typeof changedDevice>

const received = z.strictObject({
  id: z.uuid(),
  placeId: place,
  lot,
  expiresOn: calendarDay.nullable().default(null),
  madeOn: calendarDay.nullable().default(null),
  /** Of a device with serial numbers; otherwise the quantity. */
  serials: z
    .array(serial)
    .max(maxSerials, deviceMessages.serials)
    .refine((all) => new Set(all).size === all.length, deviceMessages.serialTwice)
    .default([]),
  quantity: quantity.nullable().default(null),
})
export type Received = z.output<typeof received>

/** Pieces of a lot at a place. */
const pieces = { lotId: z.uuid(), serial: serial.nullable().default(null), quantity, fromPlaceId: place }
const reason = requiredLine(deviceLimits.reason, deviceMessages.reason)

const list = z.strictObject({
  search: anyLine(100).optional(),
  kind: z.enum(deviceKinds, deviceMessages.kind).optional(),
  /** Only devices with stock at this place. */
  placeId: place.optional(),
  show: z.enum([...stockWarnings, 'retired'], 'Choose what to show').optional(),
})
export type DeviceFilters = z.output<typeof list>

const devicePages = numberedPages({ limit: 50, max: 100 })
const movementPages = cursorPages(instantPlace, { limit: 50, max: 100 })

const byId = z.strictObject({ id: z.uuid() })
const noDevice = { NOT_FOUND: { status: 404, message: 'This device does not exist' } } as const
const noLot = { NOT_FOUND: { status: 404, message: 'This lot does not exist' } } as const
const taken = {
  DEVICE_EXISTS: { status: 409, message: 'The catalogue already has this maker, model and size' },
  UDI_TAKEN: { status: 409, message: 'Another device in the catalogue has this UDI-DI' },
} as const
const invalidFields = {
  INVALID_REFERENCE: { status: 422, message: 'Some fields are not valid', data: z.object({ fields: z.record(z.string(), z.string()) }) },
} as const
const notInStock = { NOT_IN_STOCK: { status: 409, message: 'There are not that many pieces at this place any more' } } as const
const tags = ['Devices']

export const devicesContract = {
  list: oc
    .route({ method: 'GET', path: '/devices', tags, summary: 'List the catalogue of devices with what is in stock' })
    .input(list.extend(devicePages.input))
    .output(devicePages.output(deviceInList)),
  warnings: oc
    .route({ method: 'GET', path: '/devices/warnings', tags, summary: 'Count devices that are low, expiring or expired' })
    .output(z.object({ low: z.number().int(), expiring: z.number().int(), expired: z.number().int() })),
  get: oc
    .route({ method: 'GET', path: '/devices/{id}', tags, summary: 'Get a device with its lots and serial numbers in stock' })
    .input(byId)
    .errors(noDevice)
    .output(deviceStock),
  create: oc
    .route({ method: 'POST', path: '/devices', tags, summary: 'Add a device to the catalogue' })
    .input(newDevice)
    .errors(taken)
    .output(deviceStock),
  update: oc
    .route({ method: 'PUT', path: '/devices/{id}', tags, summary: 'Change a device, or retire it' })
    .input(changedDevice)
    .errors({
      ...noDevice,
      ...taken,
      ...changedMeanwhile,
      HAS_STOCK: { status: 409, message: 'How a device is counted, and whether it is an implant, cannot change once it was received' },
    })
    .output(deviceStock),
  movements: oc
    .route({ method: 'GET', path: '/devices/{id}/movements', tags, summary: 'List the movements of a device’s stock, newest first' })
    .input(byId.extend(movementPages.input))
    .errors(noDevice)
    .output(movementPages.output(movement)),
  receive: oc
    .route({ method: 'POST', path: '/devices/{id}/receive', tags, summary: 'Receive pieces of a lot into stock' })
    .input(received)
    .errors({
      ...noDevice,
      ...invalidFields,
      SERIAL_IN_STOCK: {
        status: 409,
        message: 'A serial number is in stock already, or in use',
        data: z.object({ serials: z.array(z.string()) }),
      },
      ALREADY_USED: { status: 409, message: 'A serial number was used on a patient already' },
    })
    .output(deviceStock),
  move: oc
    .route({ method: 'POST', path: '/stock/move', tags, summary: 'Move pieces to another place' })
    .input(z.strictObject({ ...pieces, toPlaceId: place }))
    .errors({ ...noLot, ...invalidFields, ...notInStock })
    .output(deviceStock),
  waste: oc
    .route({ method: 'POST', path: '/stock/waste', tags, summary: 'Take pieces out of stock as wasted, expired or lost' })
    .input(z.strictObject({ ...pieces, reason }))
    .errors({ ...noLot, ...invalidFields, ...notInStock })
    .output(deviceStock),
  return: oc
    .route({ method: 'POST', path: '/stock/return', tags, summary: 'Return pieces to the supplier' })
    .input(z.strictObject({ ...pieces, reason: optionalText(deviceLimits.reason).default(null) }))
    .errors({ ...noLot, ...invalidFields, ...notInStock })
    .output(deviceStock),
  places: oc
    .route({ method: 'GET', path: '/stock-places', tags, summary: 'List the places where stock is kept' })
    .output(z.array(stockPlace)),
  addPlace: oc
    .route({ method: 'POST', path: '/stock-places', tags, summary: 'Add a place for stock' })
    .input(z.strictObject({ name: requiredLine(deviceLimits.place, deviceMessages.placeName) }))
    .errors({ NAME_TAKEN: { status: 409, message: 'A place with this name already exists' } })
    .output(stockPlace),
  changePlace: oc
    .route({ method: 'PUT', path: '/stock-places/{id}', tags, summary: 'Rename a place for stock, or stop using it once it is empty' })
    .input(z.strictObject({ id: z.uuid(), name: requiredLine(deviceLimits.place, deviceMessages.placeName), isActive: z.boolean() }))
    .errors({
      NOT_FOUND: { status: 404, message: 'This place does not exist' },
      NAME_TAKEN: { status: 409, message: 'A place with this name already exists' },
      IN_USE: { status: 409, message: 'There is stock at this place. Move it first.' },
    })
    .output(stockPlace),
}
