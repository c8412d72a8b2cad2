import { oc } from '@orpc/contract'
import { z } from 'zod'
import { highestPrice, procedureMessages } from '../../crm/procedures/contract.ts'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'
import { posMessages } from '../pos/contract.ts'
import { cartLimits } from '../pos/rules.ts'
import { lineKinds } from '../quotes/rules.ts'

export const priceListMessages = {
  kind: 'Choose a type',
  description: 'Enter a description',
  price: procedureMessages.price,
  quantity: posMessages.quantity,
  unknownTaxCode: 'This tax code was not found in QuickBooks',
  unknownItem: 'This item was not found in QuickBooks',
  unknownPrice: 'This price is not in the list',
} as const

export const priceListLimits = { prices: 30, description: 200 } as const

const price = z.object({
  id: z.uuid(),
  kind: z.enum(lineKinds),
  description: z.string(),
  quantity: z.number().int(),
  unitPriceCents: z.number().int(),
  /** A QuickBooks tax code. Null: the practice's default. */
  taxCodeId: z.string().nullable(),
  /** The QuickBooks item that it is sold as, and its name while QuickBooks has it. */
  itemId: z.string().nullable(),
  itemName: z.string().nullable(),
})

const priceList = z.object({
  /** The procedure's version, for conflict detection. */
  version: z.number().int(),
  /** When it was last changed; null if the procedure has no price list yet. */
  changedAt: z.date().nullable(),
  prices: z.array(price),
})
export type PriceList = z.output<typeof priceList>

const wantedPrice = z.strictObject({
  /** The ID of an existing price. */
  id: z.uuid().nullable().default(null),
  kind: z.enum(lineKinds, priceListMessages.kind),
  description: requiredLine(priceListLimits.description, priceListMessages.description),
  quantity: z
    .number(priceListMessages.quantity)
    .int(priceListMessages.quantity)
    .min(1, priceListMessages.quantity)
    .max(cartLimits.quantity, priceListMessages.quantity),
  unitPriceCents: z
    .number(priceListMessages.price)
    .int(priceListMessages.price)
    .min(0, priceListMessages.price)
    .max(highestPrice, priceListMessages.price),
  taxCodeId: optionalText(64).default(null),
  itemId: optionalText(64).default(null),
})
export type WantedPrice = z.output<typeof wantedPrice>

const tags = ['Procedures']
const notFound = { NOT_FOUND: { status: 404, message: 'This procedure does not exist' } } as const

/** Calls under `procedures`: each procedure has one price list. */
export const priceListsContract = {
  priceList: oc
    .route({ method: 'GET', path: '/procedures/{id}/price-list', tags, summary: "Get a procedure's price list" })
    .input(z.strictObject({ id: z.uuid() }))
    .errors(notFound)
    .output(priceList),
  setPriceList: oc
    .route({ method: 'PUT', path: '/procedures/{id}/price-list', tags, summary: "Replace a procedure's price list" })
    .input(
      z.strictObject({
        id: z.uuid(),
        version,
        prices: z.array(wantedPrice).max(priceListLimits.prices, `A price list has at most ${priceListLimits.prices} prices`),
      }),
    )
    .errors({
      ...notFound,
      ...changedMeanwhile,
      INVALID_REFERENCE: {
        status: 422,
        message: 'Please check the marked fields',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
    })
    .output(priceList),
}
