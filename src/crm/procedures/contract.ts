import { oc } from '@orpc/contract'
import { z } from 'zod'
import { anyLine, optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'

/** The colours of a procedure: the numbers of the chart colours in the design. */
export const procedureColours = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
/** In minutes. */
export const [shortestProcedure, maxProcedureLength] = [5, 960]
/** In cents. */
export const highestPrice = 100_000_000
const nameLength = 100

export const procedureMessages = {
  name: 'Name is required',
  minutes: `Enter minutes from ${shortestProcedure} to ${maxProcedureLength}`,
  price: 'Enter an amount, like 8,200.00',
  colour: 'Choose one of the colours',
} as const

const procedure = z.object({
  id: z.uuid(),
  name: z.string(),
  /** As patients read it in French; null: the same name. */
  nameFr: z.string().nullable(),
  /** The number of a chart colour, or null. */
  colour: z.number().int().nullable(),
  /** The default price before tax, for quotes when there is no price list. */
  priceCents: z.number().int().nullable(),
  /** The default duration. */
  minutes: z.number().int().nullable(),
  /** A tax code of the accounting system. Null: the practice's default. */
  taxCodeId: z.string().nullable(),
  isSurgical: z.boolean(),
  /** An inactive procedure is no longer offered, but stays on existing records. */
  isActive: z.boolean(),
  version: z.number().int(),
})
export type Procedure = z.output<typeof procedure>

/** Characters of one text. */
const maxInstructions = 10_000
/** One text in one language; null: the practice has written none. */
const instructions = z.object({
  preparationEn: z.string().nullable(),
  preparationFr: z.string().nullable(),
  aftercareEn: z.string().nullable(),
  aftercareFr: z.string().nullable(),
})
export type Instructions = z.output<typeof instructions>
/** 0: nothing is written yet. */
const writtenInstructions = instructions.extend({ version: z.number().int() })

const tags = ['Procedures']
const taken = { NAME_TAKEN: { status: 409, message: 'A procedure with this name already exists' } } as const
const notFound = { NOT_FOUND: { status: 404, message: 'This procedure does not exist' } } as const
const name = requiredLine(nameLength, procedureMessages.name)
const details = {
  nameFr: anyLine(nameLength)
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .optional(),
  colour: z
    .number(procedureMessages.colour)
    .int(procedureMessages.colour)
    .min(1, procedureMessages.colour)
    .max(procedureColours.length, procedureMessages.colour)
    .nullable(),
  priceCents: z
    .number(procedureMessages.price)
    .int(procedureMessages.price)
    .min(0, procedureMessages.price)
    .max(highestPrice, procedureMessages.price)
    .nullable(),
  minutes: z
    .number(procedureMessages.minutes)
    .int(procedureMessages.minutes)
    .min(shortestProcedure, procedureMessages.minutes)
    .max(maxProcedureLength, procedureMessages.minutes)
    .nullable(),
  taxCodeId: optionalText(60),
  isSurgical: z.boolean('Must be true or false'),
}

export const proceduresContract = {
  list: oc.route({ method: 'GET', path: '/procedures', tags, summary: 'Procedures by name' }).output(z.array(procedure)),
  /** Spec 7: insert with name; other details are optional. */
  create: oc
    .route({ method: 'POST', path: '/procedures', tags, summary: 'Add a procedure' })
    .input(z.strictObject({ name, ...z.strictObject(details).partial().shape }))
    .errors(taken)
    .output(procedure),
  update: oc
    .route({ method: 'PUT', path: '/procedures/{id}', tags, summary: 'Change a procedure, or retire it' })
    .input(z.strictObject({ id: z.uuid(), version, name, ...details, isActive: z.boolean('Must be true or false') }))
    .errors({ ...taken, ...notFound, ...changedMeanwhile })
    .output(procedure),
  instructions: oc
    .route({ method: 'GET', path: '/procedures/{id}/instructions', tags, summary: 'What patients read before and after a procedure' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors(notFound)
    .output(writtenInstructions),
  setInstructions: oc
    .route({
      method: 'PUT',
      path: '/procedures/{id}/instructions',
      tags,
      summary: 'Replace what patients read before and after a procedure',
    })
    .input(
      z.strictObject({
        id: z.uuid(),
        version: z.number('Version is required').int().min(0).max(2_147_483_647),
        preparationEn: optionalText(maxInstructions),
        preparationFr: optionalText(maxInstructions),
        aftercareEn: optionalText(maxInstructions),
        aftercareFr: optionalText(maxInstructions),
      }),
    )
    .errors({ ...notFound, ...changedMeanwhile })
    .output(writtenInstructions),
  uses: oc
    .route({ method: 'GET', path: '/procedures/{id}/uses', tags, summary: 'The records that use a procedure, and those deleted with it' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors(notFound)
    .output(
      z.object({
        patients: z.number().int(),
        /** Surgeries keep the name of a deleted procedure. */
        surgeries: z.number().int(),
        /** Deleted with it, like its price list. */
        checklistItems: z.number().int(),
      }),
    ),
  move: oc
    .route({
      method: 'POST',
      path: '/procedures/{id}/move',
      tags,
      summary: 'Move every patient with this procedure of interest to another; an API key also needs contacts:write',
    })
    .input(z.strictObject({ id: z.uuid(), to: z.uuid('Choose a procedure') }))
    .errors({
      ...notFound,
      INVALID_TARGET: { status: 409, message: 'Choose another procedure that is not retired' },
      MOVING: { status: 409, message: 'Patients are being moved to this procedure. Wait until the move has finished, then try again' },
      ALREADY_MOVING: {
        status: 409,
        message: 'Patients are already being moved from this procedure. Wait until the move has finished, then try again',
      },
    })
    .output(z.object({ bulkChangeId: z.uuid(), total: z.number().int() })),
  delete: oc
    .route({ method: 'DELETE', path: '/procedures/{id}', tags, summary: 'Delete a procedure that no patient has' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({
      ...notFound,
      IN_USE: {
        status: 409,
        message: 'Patients have this procedure. Move them to another procedure, or retire it.',
        data: z.object({ count: z.number().int() }),
      },
    }),
}
