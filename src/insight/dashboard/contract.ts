import { oc } from '@orpc/contract'
import { z } from 'zod'
import { interactionTypes } from '../../crm/interactions/contract.ts'
import { funnelStage } from '../../crm/pipeline/contract.ts'
import { taskTypes } from '../../crm/tasks/rules.ts'

const count = z.number().int()

/** Count in a period, and in the previous period of the same length. */
const compared = z.object({ count, before: count })

/** Median in seconds; null without data. */
const median = z.object({ seconds: z.number().nullable(), of: count.describe('As many as it was taken of') })
/** For the last 30 days and the previous 30. */
const medians = z.object({ now: median, before: median })
export type Medians = z.output<typeof medians>

const conversion = z.object({ total: count, booked: count, rate: count.describe('round(booked / total x 100), 0 without leads (spec 9)') })
export type Conversion = z.output<typeof conversion>

const dashboardStage = funnelStage.extend({
  count: count.describe('Contacts currently in the stage'),
  stay: medians.describe('Time spent in the stage by patients who left it'),
})

const dashboardProcedure = z.object({ id: z.uuid(), name: z.string(), allTime: conversion, last30Days: conversion })

const sourceCount = z.object({ group: z.string(), count })
export type SourceCount = z.output<typeof sourceCount>

const patient = z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() })

const dashboard = z.object({
  /** Time of the reading. */
  at: z.date(),
  leads: z.object({
    week: compared,
    month: compared,
    total: count,
    since: z.date().nullable().describe('When the first one was added'),
    perDay: z.array(count).describe('The last 30 days, today last'),
  }),
  firstResponse: medians.describe('Time from lead arrival to the first call, email, meeting or stage change by a person'),
  leadToConsult: medians.describe('Time from lead arrival to its first move to the stage Consult Booked'),
  /** Display groups (spec 9), largest first. */
  sources: z.array(sourceCount),
  /** In funnel order. */
  stages: z.array(dashboardStage),
  /** Most requested first. */
  procedures: z.array(dashboardProcedure),
  /** Recent activity the user may see. */
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
  /** Overdue tasks the user may see, most overdue first. */
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
      summary: 'Dashboard figures, overdue tasks and recent activity',
    })
    .output(dashboard),
}
