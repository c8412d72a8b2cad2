import { oc } from '@orpc/contract'
import { z } from 'zod'
import { interactionTypes } from '../../crm/interactions/contract.ts'
import { funnelStage } from '../../crm/pipeline/contract.ts'
import { taskTypes } from '../../crm/tasks/rules.ts'

const count = z.number().int()

/** How many in a period, and in the one of the same length before it. */
const compared = z.object({ count, before: count })

/** A median in seconds; null when there was nothing to take one of. */
const median = z.object({ seconds: z.number().nullable(), of: count.describe('As many as it was taken of') })
/** Of the last 30 days, and of the 30 before. */
const medians = z.object({ now: median, before: median })
export type Medians = z.output<typeof medians>

const conversion = z.object({ total: count, booked: count, rate: count.describe('round(booked / total x 100), 0 without leads (spec 9)') })
export type Conversion = z.output<typeof conversion>

const dashboardStage = funnelStage.extend({
  count: count.describe('The contacts that are in it now'),
  stay: medians.describe('How long those who left it had been in it'),
})

const dashboardProcedure = z.object({ id: z.uuid(), name: z.string(), allTime: conversion, last30Days: conversion })

const sourceCount = z.object({ group: z.string(), count })
export type SourceCount = z.output<typeof sourceCount>

const patient = z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() })

const dashboard = z.object({
  /** The moment all of it is of. */
  at: z.date(),
  leads: z.object({
    week: compared,
    month: compared,
    total: count,
    since: z.date().nullable().describe('When the first one was added'),
    perDay: z.array(count).describe('Of the last 30 days, today last'),
  }),
  firstResponse: medians.describe('From the arrival of a lead to the first call, email, meeting or stage change by a person'),
  leadToConsult: medians.describe('From the arrival of a lead to its first move to the stage Consult Booked'),
  /** Spec 9's display groups, the largest first. */
  sources: z.array(sourceCount),
  /** In the order of the funnel. */
  stages: z.array(dashboardStage),
  /** The most asked for first. */
  procedures: z.array(dashboardProcedure),
  /** The last of what happened, as far as one may see it. */
  activity: z.array(
    z.object({
      id: z.uuid(),
      type: z.enum(interactionTypes),
      description: z.string(),
      date: z.date(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      contact: patient,
    }),
  ),
  /** The tasks that are late, of all that one may see, the latest first. */
  overdue: z.object({
    total: count,
    data: z.array(z.object({ id: z.uuid(), title: z.string(), type: z.enum(taskTypes), dueAt: z.date(), contact: patient.nullable() })),
  }),
})

export const dashboardContract = {
  get: oc
    .route({
      method: 'GET',
      path: '/dashboard',
      tags: ['Dashboard'],
      summary: 'The figures, overdue tasks and recent activity of the dashboard',
    })
    .output(dashboard),
}
