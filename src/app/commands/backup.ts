/**
 * `npm run backup`: backs up the clinic that the settings describe (docs/OPERATIONS.md), while it may be running.
 *
 *   --to /mnt/backups   a folder, or s3://bucket/prefix; default: BACKUP_TO
 *   --keep 14           how many backups stay; default: BACKUP_KEEP
 *   --drill             makes no backup, but restores the newest into a scratch folder and tests it
 *   --verify            reads back everything that the kept backups need; makes one only to replace what is damaged
 */
import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { makeBackup } from '../../admin/backups/backup.ts'
import { connect } from '../../admin/backups/connection.ts'
import { clearDrill, runDrill } from '../../admin/backups/drill.ts'
import { recordRun } from '../../admin/backups/service.ts'
import type { BackupRunKind } from '../../admin/backups/contract.ts'
import { openTarget } from '../../admin/backups/target.ts'
import { verifyBackups } from '../../admin/backups/verify.ts'
import { openFileStore } from '../../integrations/storage/open.ts'
import { errorCode } from '../../kernel/errors.ts'
import { readBackupSettings } from '../../kernel/env.ts'
import { fileKeys } from '../../kernel/seal.ts'
import { fromCaller, printProgress, readOptions, runBackupCommand } from './backup-output.ts'
import { openClinic } from './open-clinic.ts'

const values = readOptions({
  to: { type: 'string' },
  keep: { type: 'string' },
  verify: { type: 'boolean', default: false },
  drill: { type: 'boolean', default: false },
})

await runBackupCommand(async () => {
  const settings = readBackupSettings(process.env)
  const place = values.to === undefined ? settings.BACKUP_TO : fromCaller(values.to)
  if (!place) return fail('Name a place: --to /mnt/backups, or set BACKUP_TO')
  let damaged: string[] = []
  if (values.verify) {
    const { backups, problems, ...found } = await verifyBackups(await openTarget(settings, place, { create: false }), printProgress)
    for (const problem of problems) console.error(problem)
    console.log(
      `${backups.toLocaleString('en-CA')} ${backups === 1 ? 'backup' : 'backups'}, ${problems.length === 0 ? 'all intact' : `${problems.length} problems`}`,
    )
    damaged = found.damaged
    if (damaged.length === 0) return problems.length === 0 ? 0 : 1
    console.log('Making a backup, which stores again what the clinic still has.')
  }
  const clinic = await openClinic()
  const cleanUps: (() => Promise<void>)[] = []
  try {
    const { env, ownerUrl, dataFolder } = clinic
    const keep = values.keep === undefined ? env.BACKUP_KEEP : Number(values.keep)
    if (!Number.isSafeInteger(keep) || keep < 1) return fail('--keep takes a number of backups')
    const vault = await openTarget(settings, place, { create: !values.drill })
    const owner = await connect(ownerUrl)
    const db = drizzle(owner)
    cleanUps.push(() => owner.end())
    // A clinic is backed up before an upgrade makes the table.
    const record = (kind: BackupRunKind, isOk: boolean, details: Record<string, unknown>) =>
      recordRun(db, kind, isOk, details).catch((error: unknown) => {
        if (errorCode(error) !== '42P01') throw error
      })
    if (values.drill) {
      for (const signal of ['SIGTERM', 'SIGINT'] as const)
        process.once(signal, () => void clearDrill(env.DATA_DIR).finally(() => process.exit(1)))
      const result = await runDrill(owner, vault, env.DATA_DIR, { onProgress: printProgress, onFailure: console.error })
      if (!result.isBusy) await record('drill', result.problem === null, result)
      console.log(JSON.stringify(result, null, 2))
      return result.problem === null ? 0 : 1
    }
    const isContinuous = env.BACKUP_TO !== undefined && path.resolve(place) === path.resolve(env.BACKUP_TO)
    const made = await makeBackup({ env, ownerUrl, dataFolder, files: openFileStore(env, { keys: fileKeys(env) }) }, vault, {
      keep,
      isContinuous,
      damaged,
      onProgress: printProgress,
    })
    await record('backup', true, made)
    const megabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en-CA')} MB`
    console.log(
      `Backup ${made.id}: database ${megabytes(made.databaseBytes)}, ${made.files.toLocaleString('en-CA')} files ${megabytes(made.fileBytes)}, ` +
        `copied ${megabytes(made.copiedBytes)}, verified, in ${Math.round(made.seconds)} s`,
    )
    if (made.damaged > 0) console.log(`Damaged at the place: ${made.damaged}, of which stored again: ${made.replaced}`)
    if (made.problem) console.error(made.problem)
    return made.problem || damaged.length > 0 ? 1 : 0
  } finally {
    for (const cleanUp of cleanUps) await cleanUp()
    await clinic.close()
  }
})

function fail(message: string): number {
  console.error(message)
  return 2
}
