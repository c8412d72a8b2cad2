/**
 * `npm run restore`: restores a clinic from its backups into a new data folder (docs/OPERATIONS.md).
 *
 *   --from /mnt/backups         a folder, or s3://bucket/prefix; default: BACKUP_TO
 *   --data-dir /var/lib/new     the folder to make
 *   --at '2026-11-20 14:05'     the moment to return to, in PRACTICE_TIME_ZONE or with an offset; default: the newest
 */
import path from 'node:path'
import { missingFile, restoreClinic, settingsFile } from '../../admin/backups/restore.ts'
import { parseMoment } from '../../admin/backups/rules.ts'
import { openTarget } from '../../admin/backups/target.ts'
import { readBackupSettings } from '../../kernel/env.ts'
import { fromCaller, printProgress, readOptions, runBackupCommand } from './backup-output.ts'

const values = readOptions({ from: { type: 'string' }, 'data-dir': { type: 'string' }, at: { type: 'string' } })

await runBackupCommand(async () => {
  const settings = readBackupSettings(process.env)
  const place = values.from === undefined ? settings.BACKUP_TO : fromCaller(values.from)
  if (!place) return fail('Name the backups: --from /mnt/backups, or set BACKUP_TO')
  if (!values['data-dir']) return fail('Name the folder to make: --data-dir /var/lib/refyne-restored')
  const dataDir = path.resolve(fromCaller(values['data-dir']))
  const at = values.at === undefined ? null : parseMoment(values.at, settings.PRACTICE_TIME_ZONE)
  if (values.at !== undefined && !at) return fail(`--at takes a time such as '2026-11-20 14:05', not ${values.at}`)
  const begin = performance.now()
  const vault = await openTarget(settings, place, { create: false })
  if (at) console.log(`Restoring to ${at.toISOString()}`)
  const { id, kind, archivedAt, files, missing, endsEarlyAt } = await restoreClinic(vault, dataDir, { at, onProgress: printProgress })
  const seconds = Math.round((performance.now() - begin) / 1000)
  console.log(`Restored the backup ${id} and ${files.toLocaleString('en-CA')} files into ${dataDir}, in ${seconds} s.`)
  console.log(
    at
      ? `It is as of ${at.toISOString()}.`
      : endsEarlyAt
        ? `It is as of ${endsEarlyAt.toISOString()}: changes were archived until ${archivedAt.toISOString()}, but these cannot be read.`
        : `It is as of ${archivedAt.toISOString()}, the newest that was archived.`,
  )
  if (kind === 'dump') console.log(`Load the database into an empty one: pg_restore --no-owner --dbname URL ${dataDir}/dump/clinic.dump`)
  console.log(`Put the settings in ${path.join(dataDir, settingsFile)} into .env before you start the server.`)
  for (const [key, problem] of missing) console.error(`${key}: ${problem}`)
  if (missing.size > 0) console.error(`${missing.size} files could not be restored. ${path.join(dataDir, missingFile)} lists them.`)
  return missing.size > 0 || endsEarlyAt ? 1 : 0
})

function fail(message: string): number {
  console.error(message)
  return 2
}
