import { oc } from '@orpc/contract'
import { z } from 'zod'

/** `archive`: changes that were archived as they happen. */
export const backupRunKinds = ['backup', 'drill', 'archive'] as const
export type BackupRunKind = (typeof backupRunKinds)[number]

const backup = z.object({
  endedAt: z.date(),
  isOk: z.boolean(),
  seconds: z.number().nullable(),
  databaseBytes: z.number().nullable(),
  files: z.number().int().nullable(),
  fileBytes: z.number().nullable(),
  copiedBytes: z.number().nullable(),
  /** Why it failed. */
  problem: z.string().nullable(),
})

const drill = z.object({
  endedAt: z.date(),
  isOk: z.boolean(),
  /** Seconds until the restored clinic answered. */
  restoredSeconds: z.number().nullable(),
  /** Seconds of changes that would have been lost. */
  lostSeconds: z.number().nullable(),
  patients: z.number().int().nullable(),
  auditEntries: z.number().int().nullable(),
  filesRead: z.number().int().nullable(),
  problem: z.string().nullable(),
})

const status = z.object({
  /** A folder or s3://bucket/prefix; null when none is set on the server. */
  place: z.string().nullable(),
  /** Time of day, such as '02:30'. */
  at: z.string(),
  keep: z.number().int(),
  /** Whether changes are archived between backups, which an external database does by itself. */
  isContinuous: z.boolean(),
  archivedAt: z.date().nullable(),
  lastBackup: backup.nullable(),
  /** Newest first. */
  backups: z.array(backup),
  drills: z.array(drill),
})
export type BackupStatus = z.output<typeof status>

export const backupsContract = {
  status: oc
    .route({ method: 'GET', path: '/backups', tags: ['Backups'], summary: 'Show the state of the backups and the last restore drills' })
    .output(status),
}
