import { oc } from '@orpc/contract'
import { z } from 'zod'
import { vendorFailures, vendors } from './rules.ts'

const system = z.object({
  vendor: z.enum(vendors),
  /** `unused`: set up, and not called by this process since it started. */
  state: z.enum(['off', 'unused', 'working', 'failing']),
  failure: z.enum(vendorFailures).nullable(),
  lastResponseAt: z.date().nullable(),
  failingSince: z.date().nullable(),
})

const failedJobs = z.object({ job: z.string(), count: z.number().int(), lastErrorKind: z.string().nullable() })

const failure = z.object({
  message: z.string(),
  level: z.enum(['warn', 'error']),
  kind: z.string().nullable(),
  /** The job or the route. */
  where: z.string().nullable(),
  count: z.number().int(),
  lastAt: z.date(),
  requestId: z.string().nullable(),
})

const status = z.object({
  version: z.string(),
  /** Null if it was not built from a Git checkout. */
  commit: z.string().nullable(),
  node: z.string(),
  startedAt: z.date(),
  /** Processes that use this database; null if it does not say. */
  processes: z.number().int().nullable(),
  database: z.object({
    version: z.string(),
    bytes: z.number().int(),
    /** `behind`: it lacks migrations of this version. `ahead`: a later version has migrated it. Null if it cannot be read. */
    migrations: z.enum(['current', 'behind', 'ahead']).nullable(),
  }),
  /** Of the file system of DATA_DIR; null if it cannot be read. */
  disk: z.object({ freeBytes: z.number().int(), totalBytes: z.number().int() }).nullable(),
  /** Null if the server does not back itself up. `archivedAt` is null with an external database. */
  backups: z.object({ backupAt: z.date().nullable(), archivedAt: z.date().nullable() }).nullable(),
  /** Files that are not yet encrypted with the current key; null before they were first counted. */
  files: z.object({ remaining: z.number().int(), countedAt: z.date() }).nullable(),
  queue: z.object({
    waiting: z.number().int(),
    /** Since when the oldest job that no one has begun is due; null if none is. */
    oldestDueAt: z.date().nullable(),
    failed: z.array(failedJobs),
  }),
  /** Sequences with late or failed steps, or that no one has entered for long; what is wrong in words. */
  sequences: z.array(z.object({ id: z.uuid(), name: z.string(), problem: z.string() })),
  systems: z.array(system),
  /** Of this process since it started, newest first. */
  failures: z.array(failure),
})
export type SystemStatus = z.output<typeof status>

export const systemContract = {
  status: oc.route({ method: 'GET', path: '/system', tags: ['System'], summary: 'Show how the server is doing' }).output(status),
}
