/** Backs the clinic up as long as the server runs. Started by follow.ts, and ends with it. */
import { setTimeout as after } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { openFileStore } from '../../integrations/storage/open.ts'
import { describeError } from '../../kernel/errors.ts'
import { openLog } from '../../kernel/log.ts'
import { fileKeys } from '../../kernel/seal.ts'
import { type Clinic, makeBackup } from './backup.ts'
import { connect, tryLock } from './connection.ts'
import { copyNewDocuments } from './documents.ts'
import { clearDrill, runDrill } from './drill.ts'
import type { FollowerSettings } from './follow.ts'
import { backupIds, readManifests } from './manifest.ts'
import { checkPlace } from './place.ts'
import { isDrillDue, isDue, isFuture, namesOf, timeOfId } from './rules.ts'
import { lastDrill, recordRun } from './service.ts'
import { openTarget } from './target.ts'
import { problemOf, type Vault } from './vault.ts'
import { verifyBackups } from './verify.ts'
import { archiveLog, currentChain } from './wal.ts'

/** Arbitrary advisory lock: of several processes, one makes the backups. */
const leaderLock = 7_310_284_666
/** In milliseconds. Less than five minutes of changes and files are ever at risk. */
const archiveEvery = 60_000
const filesEvery = 120_000
const lookEvery = 10_000
const retryAfter = 15 * 60_000

process.once('disconnect', () => process.exit())
process.once('message', (settings: FollowerSettings) => {
  follow(settings).catch((error: unknown) => {
    openLog(settings.env.LOG_LEVEL).error({ error: describeError(error) }, 'The backups stopped')
    process.exit(1)
  })
})

async function follow({ env, ownerUrl, dataFolder }: FollowerSettings): Promise<void> {
  const log = openLog(env.LOG_LEVEL)
  const [leader, archiver] = [await connect(ownerUrl), await connect(ownerUrl)]
  for (const client of [leader, archiver]) client.once('end', () => process.exit(1))
  while (!(await tryLock(leader, leaderLock))) await after(lookEvery)
  const db = drizzle(leader)
  const clinic: Clinic = { env, ownerUrl, dataFolder, files: openFileStore(env, { keys: fileKeys(env) }) }

  const vault = await untilOpen()
  let [isDrilling, isStopping] = [false, false]
  process.once('SIGTERM', () => {
    isStopping = true
    const stopped = Promise.allSettled([archiveOnce(), isDrilling && clearDrill(env.DATA_DIR)])
    void stopped.finally(() => process.exit())
  })
  await Promise.all([every(archiveEvery, archiveOnce), every(filesEvery, copyFiles()), every(lookEvery, lookAtClock())])

  /** Does the work again and again. A target that is away is a state: it is logged, and what was missed is done the next time. */
  async function every(pause: number, work: () => Promise<void>): Promise<never> {
    for (;;) {
      await work().catch((error: unknown) => log.warn({ error: describeError(error) }, `Backups could not be written. ${problemOf(error)}`))
      await after(pause)
    }
  }

  async function untilOpen(): Promise<Vault> {
    for (;;) {
      try {
        const opened = await openTarget(env, env.BACKUP_TO!, { create: true })
        await checkPlace(leader, opened)
        return opened
      } catch (error) {
        log.error({ error: describeError(error) }, `The place of the backups cannot be opened. ${problemOf(error)}`)
        await recordRun(db, 'backup', false, { problem: problemOf(error) })
        await after(retryAfter)
      }
    }
  }

  async function archiveOnce(): Promise<void> {
    const chain = dataFolder === null ? null : await currentChain(archiver)
    if (!chain) return
    await archiveLog(archiver, dataFolder!, vault, chain)
    await recordRun(db, 'archive', true, {})
  }

  function copyFiles(): () => Promise<void> {
    let copied: Set<string> | null = null
    return async () => {
      copied ??= namesOf(await Array.fromAsync(vault.store.list()), 'files')
      await copyNewDocuments(clinic.files, vault, copied)
    }
  }

  function lookAtClock(): () => Promise<void> {
    let last: { at: Date | null; chain: string | null } | null = null
    let notBefore = 0
    return async () => {
      last ??= await newest()
      // The log that is archived now must begin with a backup.
      const isLost = dataFolder !== null && ((await currentChain(archiver))?.id ?? null) !== last.chain
      if (Date.now() >= notBefore && (isLost || isDue(last.at, new Date(), env.BACKUP_AT, env.PRACTICE_TIME_ZONE))) {
        const isOk = await backUp()
        last = await newest()
        if (isOk) await archiveOnce()
        else notBefore = Date.now() + retryAfter
      }
      if (last.at && isDrillDue(await lastDrill(db), new Date())) await drill()
    }
  }

  async function newest(): Promise<{ at: Date | null; chain: string | null }> {
    const id = backupIds(await Array.fromAsync(vault.store.list())).findLast((one) => !isFuture(timeOfId(one) ?? new Date(0), new Date()))
    if (id === undefined) return { at: null, chain: null }
    const { manifests } = await readManifests(vault, [id])
    const database = manifests[0]?.database
    return { at: timeOfId(id), chain: database?.kind === 'folder' ? database.chain : null }
  }

  async function backUp(damaged: readonly string[] = []): Promise<boolean> {
    try {
      const made = await makeBackup(clinic, vault, { keep: env.BACKUP_KEEP, isContinuous: true, damaged })
      if (made.problem) log.error({}, `A backup was made. ${made.problem}`)
      else log.info('A backup was made')
      await recordRun(db, 'backup', true, made)
      return true
    } catch (error) {
      log.error({ error: describeError(error) }, `A backup failed. ${problemOf(error)}`)
      await recordRun(db, 'backup', false, { problem: problemOf(error) })
      return false
    }
  }

  async function drill(): Promise<void> {
    isDrilling = true
    const result = await runDrill(leader, vault, env.DATA_DIR, {
      onFailure: (error) => log.error({ error: describeError(error) }, `A restore drill failed. ${problemOf(error)}`),
    })
    isDrilling = false
    if (isStopping || result.isBusy) return // it was cut off and is due at the next start, or an operator's runs now
    await recordRun(db, 'drill', result.problem === null, result)
    if (result.isDamaged) await backUp((await verifyBackups(vault)).damaged)
  }
}
