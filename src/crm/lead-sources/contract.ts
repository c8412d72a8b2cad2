import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { changedMeanwhile } from '../../shared/versions.ts'
import { type FieldMap, mappableFields, maxFieldName, maxSpendCents } from './rules.ts'

const leadSource = z.object({
  id: z.uuid(),
  name: z.string(),
  hasWebhookKey: z.boolean(),
  thankYouUrl: z.string().nullable(),
  /** Whether new patients from this source are sent the template 'welcome_email', once per address. */
  sendsWelcome: z.boolean(),
  /** A retired source is no longer offered. Patients and forms that use it keep it. */
  isActive: z.boolean(),
})

const receivedName = z
  .string()
  .min(1, 'Choose a received field')
  .max(maxFieldName, `Use at most ${maxFieldName} characters`)
  .refine(isStorable, notStorable)
  .optional()
/** Maps lead fields to the source's field names. */
export const fieldMap: z.ZodType<FieldMap, FieldMap> = z.strictObject(
  Object.fromEntries(mappableFields.map((field) => [field, receivedName])) as Record<keyof FieldMap, typeof receivedName>,
)
const name = requiredLine(100, 'Name is required')
const thankYouUrl = optionalText(500).refine(
  (url) => url === null || /^https?:\/\/[^\s]+$/i.test(url),
  'Enter a web address that starts with http:// or https://',
)
const sendsWelcome = z.boolean('Must be true or false')

/** In cents. Null: no amount is entered. */
const spendCents = z
  .number('Enter an amount')
  .int('Enter an amount in whole cents')
  .min(0, 'Enter 0 or more')
  .max(maxSpendCents, 'Enter at most $10,000,000.00')
  .nullable()
const month = calendarDay.refine((day) => day.endsWith('-01'), 'Enter the first day of a month')
const spendOfSource = z.object({
  id: z.uuid(),
  name: z.string(),
  isActive: z.boolean(),
  /** The months of the year with an amount, in order. `month`: its first day. */
  months: z.array(z.object({ month: z.string(), cents: z.number().int() })),
})
const monthsInYear = 12

const byId = z.strictObject({ id: z.uuid() })
const taken = { NAME_TAKEN: { status: 409, message: 'A lead source with this name already exists' } } as const
const notFound = { NOT_FOUND: { status: 404, message: 'This lead source does not exist' } } as const
const route = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: '/lead-sources' | '/lead-source-spend' | `/lead-sources/${string}`,
  summary: string,
) => oc.route({ method, path, summary, tags: ['Lead sources'] })

export const leadSourcesContract = {
  list: route('GET', '/lead-sources', 'List lead sources by name').output(z.array(leadSource)),
  get: route('GET', '/lead-sources/{id}', 'Get a lead source with its intake URL and the number of its patients, leads and months of spend')
    .input(byId)
    .errors(notFound)
    .output(
      leadSource.extend({
        intakeAddress: z.string(),
        patients: z.number().int(),
        leads: z.number().int(),
        spendMonths: z.number().int(),
        fieldMap,
      }),
    ),
  create: route('POST', '/lead-sources', 'Add a lead source; its webhook key is shown once')
    .input(z.strictObject({ name, thankYouUrl: thankYouUrl.optional(), sendsWelcome: sendsWelcome.optional() }))
    .errors(taken)
    .output(leadSource.extend({ webhookKey: z.string() })),
  update: route('PATCH', '/lead-sources/{id}', 'Change a lead source')
    .input(
      byId
        .extend({
          name: name.optional(),
          thankYouUrl: thankYouUrl.optional(),
          sendsWelcome: sendsWelcome.optional(),
          isActive: z.boolean().optional(),
        })
        .refine(({ id: _, ...changes }) => Object.values(changes).some((value) => value !== undefined), 'Specify what to change'),
    )
    .errors({ ...taken, ...notFound })
    .output(leadSource),
  rotateKey: route('POST', '/lead-sources/{id}/webhook-key', 'Replace the webhook key; the old one stops working at once')
    .input(byId)
    .errors(notFound)
    .output(z.object({ webhookKey: z.string() })),
  move: route(
    'POST',
    '/lead-sources/{id}/move',
    'Move all patients, leads and spend of a source to another; an API key also needs contacts:write',
  )
    .input(byId.extend({ to: z.uuid('Choose a source') }))
    .errors({
      ...notFound,
      INVALID_TARGET: { status: 409, message: 'Choose another source that isn’t retired' },
      MOVING: { status: 409, message: 'Patients are being moved to this source. Wait until the move has finished, then try again' },
      ALREADY_MOVING: {
        status: 409,
        message: 'Patients are already being moved from this source. Wait until the move has finished, then try again',
      },
    })
    .output(z.object({ bulkChangeId: z.uuid(), total: z.number().int(), leads: z.number().int() })),
  delete: route('DELETE', '/lead-sources/{id}', 'Delete a lead source without patients, leads or spend')
    .input(byId)
    .errors({
      ...notFound,
      IN_USE: {
        status: 409,
        message: 'Patients, leads or spend have this source. Move them to another source, or retire it.',
        data: z.object({ count: z.number().int() }),
      },
    }),
  spend: route('GET', '/lead-source-spend', 'List what was spent on each lead source in the months of a year, by name')
    .input(
      z.strictObject({
        year: z.coerce
          .number('Enter a year')
          .int('Enter a year')
          .min(1900, 'Enter a year between 1900 and 2200')
          .max(2200, 'Enter a year between 1900 and 2200'),
      }),
    )
    .output(z.array(spendOfSource)),
  setSpend: route('PUT', '/lead-sources/{id}/spend', 'Set what was spent on a lead source in one or several months: all of them, or none')
    .input(
      byId.extend({
        months: z
          .array(
            z.strictObject({
              month,
              cents: spendCents,
              /** The amount that the change is based on. */
              before: spendCents,
            }),
          )
          .min(1, 'Enter an amount')
          .max(monthsInYear, `Change at most ${monthsInYear} months at once`)
          .refine((months) => new Set(months.map((one) => one.month)).size === months.length, 'Enter each month once'),
      }),
    )
    .errors({ ...notFound, ...changedMeanwhile })
    .output(spendOfSource.shape.months),
}
