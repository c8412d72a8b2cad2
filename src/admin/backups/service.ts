import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { BackupRunKind, BackupStatus } from './contract.ts'
import { backupRuns } from './table.ts'

const shown = 10
/** In milliseconds. */
const keptFor = 400 * 24 * 3_600_000

/** The state of the backups, for administrators. */
export async function readStatus({ db, env }: Pick<Scope, 'db' | 'env'>): Promise<BackupStatus> {
  const [backups, drills, [archive]] = await Promise.all([lastRuns(db, 'backup'), lastRuns(db, 'drill'), lastRuns(db, 'archive')])
  const shownBackups = backups.map(({ endedAt, isOk, details }) => ({
    endedAt,
    isOk,
    seconds: numberIn(details, 'seconds'),
    databaseBytes: numberIn(details, 'databaseBytes'),
    files: numberIn(details, 'files'),
    fileBytes: numberIn(details, 'fileBytes'),
    copiedBytes: numberIn(details, 'copiedBytes'),
    problem: textIn(details, 'problem'),
  }))
  return {
    place: env.BACKUP_TO ?? null,
    at: env.BACKUP_AT,
    keep: env.BACKUP_KEEP,
    isContinuous: env.DATABASE_URL === undefined,
    archivedAt: archive?.endedAt ?? null,
    lastBackup: shownBackups.find(({ isOk }) => isOk) ?? null,
    backups: shownBackups,
    drills: drills.map(({ endedAt, isOk, details }) => ({
      endedAt,
      isOk,
      restoredSeconds: numberIn(details, 'restoredSeconds'),
      lostSeconds: numberIn(details, 'lostSeconds'),
      patients: numberIn(details, 'patients'),
      auditEntries: numberIn(details, 'auditEntries'),
      filesRead: numberIn(details, 'filesRead'),
      problem: textIn(details, 'problem'),
    })),
  }
}

/** When the last backup was made and the last change archived; null where there is none. */
export async function readLastTimes(db: Db): Promise<{ backupAt: Date | null; archivedAt: Date | null }> {
  const last = async (kind: BackupRunKind) => {
    const [run] = await db
      .select({ endedAt: backupRuns.endedAt })
      .from(backupRuns)
      .where(and(eq(backupRuns.kind, kind), eq(backupRuns.isOk, true), isPast))
      .orderBy(desc(backupRuns.endedAt))
      .limit(1)
    return run?.endedAt ?? null
  }
  return { backupAt: await last('backup'), archivedAt: await last('archive') }
}

/** The same as ages in seconds, for monitoring. */
export async function readAges(db: Db, now: Date): Promise<{ backupAge: number | null; archiveAge: number | null }> {
  const { backupAt, archivedAt } = await readLastTimes(db)
  const age = (at: Date | null) => at && Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000))
  return { backupAge: age(backupAt), archiveAge: age(archivedAt) }
}

/** Records that a backup, a drill or archiving ended. */
export async function recordRun(
  db: Db,
  kind: BackupRunKind,
  isOk: boolean,
  details: Record<string, unknown>,
  now = new Date(),
): Promise<void> {
  await db.transaction(async (tx) => {
    if (kind === 'archive') await tx.delete(backupRuns).where(eq(backupRuns.kind, kind))
    await tx.insert(backupRuns).values({ kind, isOk, endedAt: now, details })
    await tx.delete(backupRuns).where(lt(backupRuns.endedAt, new Date(now.getTime() - keptFor)))
  })
}

export async function lastDrill(db: Db): Promise<{ endedAt: Date; isOk: boolean } | null> {
  return (await lastRuns(db, 'drill'))[0] ?? null
}

/** A run in the future was recorded by a wrong clock. */
const isPast = sql`${backupRuns.endedAt} < now() + interval '1 hour'`

const lastRuns = (db: Db, kind: BackupRunKind) =>
  db
    .select()
    .from(backupRuns)
    .where(and(eq(backupRuns.kind, kind), isPast))
    .orderBy(desc(backupRuns.endedAt), sql`${backupRuns.id} desc`)
    .limit(shown)

function numberIn(details: Record<string, unknown>, name: string): number | null {
  const value = details[name]
  return typeof value === 'number' ? value : null
}

function textIn(details: Record<string, unknown>, name: string): string | null {
  const value = details[name]
  return typeof value === 'string' ? value : null
}
