import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startS3Simulator } from '../../../simulators/s3/server.ts'
import { testSecret } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { encryptedStore } from '../../integrations/storage/encrypted.ts'
import { openLocalStore } from '../../integrations/storage/local.ts'
import { KeyTakenError } from '../../integrations/storage/store.ts'
import { type EmbeddedPostgres, dataFolderOf, startEmbeddedPostgres } from '../../kernel/postgres/embedded-postgres.ts'
import { appRolePassword, migrate } from '../../kernel/postgres/migrate.ts'
import { readBackupSettings } from '../../kernel/env.ts'
import { fileKeys } from '../../kernel/seal.ts'
import { guardPortal } from '../../portal/guard.ts'
import { type Clinic, makeBackup } from './backup.ts'
import { connect } from './connection.ts'
import { checkPlace } from './place.ts'
import { readManifest, writeManifest } from './manifest.ts'
import { copyNewDocuments } from './documents.ts'
import { runDrill } from './drill.ts'
import { isDrillDue, isDue } from './rules.ts'
import { restoreClinic } from './restore.ts'
import { openTarget } from './target.ts'
import { once, openVault, problemOf, type Vault } from './vault.ts'
import { verifyBackups } from './verify.ts'
import { archiveLog, currentChain } from './wal.ts'

const passphrase = 'seven unlikely words in a row'
const oldSecret = 'Zq8wX3nB6mC1vL9kJ4hG7fD2sA5pO0iU'

let root: string
let postgres: EmbeddedPostgres
let owner: pg.Client
let clinic: Clinic
let vault: Vault
const place = () => path.join(root, 'backups')

beforeAll(async () => {
  // In memory where Linux offers that: everything here is synced to the disk otherwise.
  root = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'refyne-backups-'))
  fs.chmodSync(root, 0o755) // PostgreSQL may run as another account
  const data = path.join(root, 'clinic')
  postgres = await startEmbeddedPostgres(path.join(data, 'postgres'))
  const ownerUrl = postgres.url('postgres')
  await migrate(ownerUrl, { appRole: 'refyne_app', appPassword: appRolePassword(testSecret) }, guardPortal)
  owner = await connect(ownerUrl)
  clinic = {
    env: { APP_SECRET: testSecret, OLD_APP_SECRETS: [oldSecret], PG_DUMP: 'pg_dump' },
    ownerUrl,
    dataFolder: dataFolderOf(path.join(data, 'postgres')),
    files: openLocalStore(path.join(data, 'files')),
  }
  vault = await openVault(openLocalStore(place()), passphrase, { create: true })
})
afterAll(async () => {
  await owner?.end()
  await postgres?.stop()
  fs.rmSync(root, { recursive: true, force: true })
})

const back = (keep = 14, damaged: string[] = []) => makeBackup(clinic, vault, { keep, isContinuous: true, damaged })
const addPatient = (name: string) =>
  owner.query(`insert into contacts (first_name, last_name, funnel_stage) select $1, 'Silva', id from funnel_stages where value = 'lead'`, [
    name,
  ])
const databaseTime = async () => (await owner.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]!.now
const archive = async () => archiveLog(owner, clinic.dataFolder!, vault, (await currentChain(owner))!)
let restores = 0
const objects = (under: string) =>
  fs.readdirSync(place(), { recursive: true, encoding: 'utf8' }).filter((name) => path.basename(name).startsWith(`${under}.`))
const putFile = (key: string, bytes: Buffer) => clinic.files.put(key, once(bytes))
/** Restores into a new folder and returns the names of the patients there. */
async function restore(at: Date | null = null) {
  const folder = path.join(root, `restored-${++restores}`)
  const summary = await restoreClinic(vault, folder, { at })
  const server = await startEmbeddedPostgres(path.join(folder, 'postgres'))
  try {
    const client = await connect(server.url('postgres'))
    const { rows } = await client.query<{ name: string }>('select first_name as name from contacts order by first_name')
    await client.end()
    return { folder, summary, names: rows.map(({ name }) => name) }
  } finally {
    await server.stop()
  }
}

describe('a backup of the bundled PostgreSQL', { timeout: 120_000 }, () => {
  it('restores patients, files and the secret, with what was committed after it and archived', async () => {
    const bytes = randomBytes(300_000)
    await clinic.files.put('documents/first', once(bytes))
    await addPatient('Ana')
    const made = await back()
    expect(made).toMatchObject({ files: 1, fileBytes: 300_000 })
    await addPatient('Ben')
    await archive()
    const { folder, names, summary } = await restore()
    expect(names).toEqual(['Ana', 'Ben'])
    expect([summary.endsEarlyAt, summary.missing.size]).toEqual([null, 0])
    const file = await encryptedStore(openLocalStore(path.join(folder, 'files')), { keys: fileKeys(clinic.env) }).get('documents/first')
    expect(Buffer.from(await new Response(file!.bytes).arrayBuffer()).equals(bytes)).toBe(true)
    const settings = fs.readFileSync(path.join(folder, 'restored.env'), 'utf8')
    expect(settings).toBe(`DATA_DIR='${folder}'\nAPP_SECRET='${testSecret}'\nOLD_APP_SECRETS='${oldSecret}'\n`)
  })

  it('restores to a moment: with the row before it and without the one after', async () => {
    await addPatient('Before')
    // A Date has milliseconds: 'Before' may be committed later in the same one.
    const moment = new Date((await databaseTime()).getTime() + 1)
    await until(async () => (await databaseTime()) > moment)
    await addPatient('After')
    await archive()
    expect((await restore(moment)).names).toEqual(['Ana', 'Before', 'Ben'])
    expect((await restore()).names).toEqual(['After', 'Ana', 'Before', 'Ben'])
  })

  it('copies each file once, and of the database only what changed', async () => {
    await putFile('documents/second', randomBytes(200_000))
    const before = objects('files').length
    const next = await back()
    expect(objects('files').length - before).toBe(1)
    expect(next.copiedBytes).toBeLessThan(next.databaseBytes / 2)
    expect((await back()).fileBytes).toBe(500_000)
  })

  it('refuses a moment outside the archive, a folder that exists, and a second backup at the same time', async () => {
    await expect(restore(new Date('2020-01-01'))).rejects.toThrow(/^The earliest time that can be restored is 20/)
    await expect(restore(new Date(Date.now() + 3_600_000))).rejects.toThrow(/^The archive ends before /)
    await expect(restoreClinic(vault, root)).rejects.toThrow(/exists already/)
    const results = await Promise.allSettled([back(), back()])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({ message: /^Another backup is running/ })
  })

  it('names a folder that cannot be written, for backups and for a restore', async () => {
    const settings = readBackupSettings({ BACKUP_PASSPHRASE: passphrase })
    const sentence = /^\/dev\/null\/\w+ cannot be written \(ENOTDIR\)\. It must exist and belong to the user that runs Refyne/
    await expect(openTarget(settings, '/dev/null/backups', { create: true })).rejects.toThrow(sentence)
    await expect(restoreClinic(vault, '/dev/null/in/restored')).rejects.toThrow(sentence)
  })

  it('refuses another passphrase, and says so', async () => {
    await expect(openVault(vault.store, 'another eight unlikely words in a row', { create: true })).rejects.toThrow(
      /encrypted with another passphrase/,
    )
    await expect(openVault(vault.store, 'short', { create: true })).rejects.toThrow(/^BACKUP_PASSPHRASE is missing or has fewer/)
    await expect(openVault(openLocalStore(path.join(root, 'empty')), passphrase, { create: false })).rejects.toThrow(
      /^There are no backups/,
    )
  })

  it('refuses a place without its identity, and makes no other', async () => {
    const found = fs.readdirSync(place(), { recursive: true, encoding: 'utf8' }).find((one) => path.basename(one) === 'identity')
    const name = path.join(place(), found!)
    fs.renameSync(name, path.join(root, 'identity'))
    for (const create of [true, false])
      await expect(openVault(vault.store, passphrase, { create })).rejects.toThrow(
        /^The place of the backups is not empty, but has no object/,
      )
    await expect(back()).rejects.toThrow(/has no object named identity/)
    expect(fs.existsSync(name)).toBe(false)
    fs.renameSync(path.join(root, 'identity'), name)
  })

  it('refuses an empty database and another clinic at the same place, where nothing changes', async () => {
    const before = fs.readdirSync(place(), { recursive: true })
    await owner.query('create database another')
    const ownerUrl = postgres.url('another')
    const other = () => makeBackup({ ...clinic, ownerUrl }, vault, { keep: 1, isContinuous: false })
    await expect(other()).rejects.toThrow(/^The database is empty: there is no clinic to back up/)
    const client = await connect(ownerUrl)
    await client.query('create schema drizzle')
    await client.query('create table drizzle.__drizzle_migrations ()')
    await expect(other()).rejects.toThrow(/^The place of the backups has those of another clinic/)
    await expect(checkPlace(client, vault)).rejects.toThrow(/another clinic/)
    await client.end()
    await owner.query('drop database another')
    expect(fs.readdirSync(place(), { recursive: true })).toEqual(before)
  })

  it('continues the backups of a restored clinic, and those of earlier versions, which name no clinic', async () => {
    const { folder } = await restore()
    const server = await startEmbeddedPostgres(path.join(folder, 'postgres'))
    const restored = { ...clinic, ownerUrl: server.url('postgres'), dataFolder: dataFolderOf(path.join(folder, 'postgres')) }
    const backRestored = () => makeBackup(restored, vault, { keep: 14, isContinuous: false })
    // While the clinic itself is backed up, a copy is someone's trial.
    const before = fs.readdirSync(place(), { recursive: true })
    await expect(backRestored()).rejects.toThrow(
      /^This is a restored copy, and the clinic that it was restored from was still backed up here/,
    )
    expect(fs.readdirSync(place(), { recursive: true })).toEqual(before)

    const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000)
    for (const name of [...objects('wal'), ...objects('backups')])
      fs.utimesSync(path.join(place(), name), elevenMinutesAgo, elevenMinutesAgo)
    const { id } = await backRestored()
    await server.stop()
    await expect(back()).rejects.toThrow(/^A restored copy of this clinic makes its backups here now/)
    await expect(checkPlace(owner, vault)).rejects.toThrow(/^A restored copy/)
    const manifest = await readManifest(vault, id)
    await vault.store.delete(`backups/${id}`)
    await writeManifest(vault, { ...manifest, id, system: undefined, database: { kind: 'dump', postgres: '180000', groups: [] } })
    expect((await readManifest(vault, (await back()).id)).system).toBe(manifest.system)
    await vault.store.delete(`backups/${id}`)
  })

  it('makes the next backup although a wrong clock has made one in the future', () => {
    const [now, future] = [new Date('2026-11-27T12:00Z'), new Date('2027-01-26T12:00Z')]
    expect(isDue(future, now, '02:30', 'America/Toronto')).toBe(true)
    expect(isDrillDue({ endedAt: future, isOk: true }, now)).toBe(true)
  })

  it('names a damaged file when it verifies, restores the rest, and stores it again', async () => {
    expect((await verifyBackups(vault)).problems).toEqual([])
    const name = path.join(place(), objects('files')[0]!)
    const bytes = fs.readFileSync(name)
    bytes[bytes.length >> 1]! ^= 1
    fs.writeFileSync(name, bytes)
    const { problems, damaged } = await verifyBackups(vault)
    expect(problems).toEqual([
      expect.stringMatching(/^files\/documents\/\w+: The object was encrypted with another key, cut short or altered$/),
    ])
    const { folder, summary } = await restore()
    expect([...summary.missing.keys()].map((key) => `files/${key}`)).toEqual(damaged)
    expect(fs.readFileSync(path.join(folder, 'missing-files.txt'), 'utf8')).toMatch(
      /^documents\/\w+\tfiles\/documents\/\w+: The object was/,
    )
    expect(summary.files).toBe(1)
    expect(await back(14, damaged)).toMatchObject({ damaged: 1, replaced: 1, problem: null })
    expect((await verifyBackups(vault)).problems).toEqual([])
    fs.rmSync(name)
    expect((await restore()).summary.missing.size).toBe(1)
    expect(await back()).toMatchObject({ damaged: 1, replaced: 1, problem: null })
    expect((await verifyBackups(vault)).problems).toEqual([])
  })

  it('stores damaged blocks of the database again, and says what the clinic no longer has', async () => {
    await clinic.files.put('documents/gone', once(randomBytes(1000)))
    await back()
    await clinic.files.delete('documents/gone')
    const [gone, ...blocks] = [...objects('files').filter((name) => name.endsWith('gone')), ...objects('blocks')]
    for (const name of [gone, ...blocks]) fs.truncateSync(path.join(place(), name!), 100)
    const { damaged } = await verifyBackups(vault)
    expect(damaged).toHaveLength(1 + blocks.length)
    const made = await back(1, damaged)
    expect(made.replaced).toBeGreaterThan(0)
    expect(made.problem).toMatch(/of older backups are damaged, and the clinic no longer has them\.$/)
    await back(1)
    expect((await verifyBackups(vault)).problems).toEqual([])
  })

  it('continues without a file that the clinic cannot read, and names it', async () => {
    await putFile('documents/unreadable', randomBytes(1000))
    await putFile('documents/whole', randomBytes(1000))
    const failing = {
      ...clinic.files,
      get: (key: string) => (key === 'documents/unreadable' ? Promise.reject(new Error('EIO')) : clinic.files.get(key)),
    }
    const sentence = /^1 file of the clinic cannot be read and was not copied: documents\/unreadable\.$/
    const copied = new Set<string>()
    await expect(copyNewDocuments(failing, vault, copied)).rejects.toThrow(sentence)
    expect(copied).toContain('documents/whole')
    const made = await makeBackup({ ...clinic, files: failing }, vault, { keep: 14, isContinuous: true })
    expect(made).toMatchObject({ problem: expect.stringMatching(sentence) as string, files: 3 })
    for (const key of ['unreadable', 'whole']) await clinic.files.delete(`documents/${key}`)
  })

  it('says when the log ends early, because a part of it was exchanged', async () => {
    await archive()
    const before = objects('wal')
    await owner.query('create table noise as select md5(n::text) from generate_series(1, 100000) as n')
    await archive()
    const name = objects('wal').find((one) => !before.includes(one))!
    const bytes = fs.readFileSync(path.join(place(), name))
    fs.copyFileSync(path.join(place(), before[0]!), path.join(place(), name))
    await addPatient('Late')
    await archive()
    const { names, summary } = await restore()
    expect(names).toEqual(['After', 'Ana', 'Before', 'Ben'])
    expect(summary.endsEarlyAt).toBeInstanceOf(Date)
    expect(await runDrill(owner, vault, path.join(root, 'clinic'), { onFailure: () => {} })).toMatchObject({
      problem: expect.stringMatching(/^The archived changes can only be read up to 20/) as string,
      isDamaged: true,
    })
    fs.writeFileSync(path.join(place(), name), bytes)
    await owner.query('drop table noise')
    await owner.query("delete from contacts where first_name = 'Late'")
  })

  it('drills once at a time, and leaves nothing', async () => {
    const second = await connect(clinic.ownerUrl)
    const drill = (client: pg.Client) => runDrill(client, vault, path.join(root, 'clinic'), { onFailure: () => {} })
    const problems = (await Promise.all([drill(owner), drill(second)])).map(({ problem }) => problem)
    expect(problems.toSorted()).toEqual(['Another drill is running.', null])
    await second.end()
    expect(fs.existsSync(path.join(root, 'clinic/drill'))).toBe(false)
  })

  it('refuses a drill that would fill the disk, and leaves nothing', async () => {
    const last = await back()
    const huge = { ...(await readManifest(vault, last.id)), id: '99991231t235959z-1a2b' }
    huge.database.groups.push({ files: [['base/1/1', 1e15]], blocks: [] })
    await writeManifest(vault, huge)
    const { problem } = await runDrill(owner, vault, path.join(root, 'clinic'), { onFailure: () => {} })
    expect(problem).toMatch(/^A drill needs 1000\d{6} MB of free space in DATA_DIR, which has \d+ MB\.$/)
    expect(fs.existsSync(path.join(root, 'clinic/drill'))).toBe(false)
    const [manifest] = objects('backups').filter((name) => name.endsWith(huge.id))
    fs.rmSync(path.join(place(), manifest!))
  })

  it('refuses the manifest of another backup under its name', async () => {
    const [one, other] = [await back(), await back()]
    const fileOf = (id: string) =>
      path.join(
        place(),
        objects('backups').find((name) => name.endsWith(id))!,
      )
    const bytes = fs.readFileSync(fileOf(other.id))
    fs.copyFileSync(fileOf(one.id), fileOf(other.id))
    await expect(readManifest(vault, other.id)).rejects.toThrow(/is the manifest of another backup$/)
    fs.writeFileSync(fileOf(other.id), bytes)
  })

  it('closes the source of an object that exists', async () => {
    let isClosed = false
    const source = async function* () {
      try {
        for (;;) yield randomBytes(100_000)
      } finally {
        isClosed = true
      }
    }
    await expect(vault.put(`backups/${(await back()).id}`, source())).rejects.toThrow(KeyTakenError)
    await until(() => isClosed)
  })

  it('names files that someone exchanged, each of which is whole', async () => {
    const [one, other] = objects('files').map((name) => path.join(place(), name)) as [string, string]
    const exchange = () => {
      const bytes = fs.readFileSync(one)
      fs.writeFileSync(one, fs.readFileSync(other))
      fs.writeFileSync(other, bytes)
    }
    exchange()
    expect((await verifyBackups(vault)).problems).toEqual([
      expect.stringMatching(/^files\/documents\/\w+ has another content$/),
      expect.stringMatching(/has another content$/),
    ])
    exchange()
  })

  it('keeps as many backups as it is told to, with everything they need and nothing else', async () => {
    await clinic.files.delete('documents/second')
    await owner.query('create table dropped as select md5(n::text) from generate_series(1, 100000) as n')
    await back(3)
    await owner.query('drop table dropped')
    await owner.query('checkpoint')
    const before = objects('blocks').length
    expect(objects('backups')).toHaveLength(3)
    await back(2)
    await back(2)
    expect(objects('backups')).toHaveLength(2)
    expect(objects('files')).toHaveLength(1)
    expect(objects('blocks').length).toBeLessThan(before)
    const [, newest] = objects('backups').toSorted((a, b) => (path.basename(a) < path.basename(b) ? -1 : 1))
    fs.truncateSync(path.join(place(), newest!), 100)
    expect(await back(2)).toMatchObject({
      removed: 0,
      problem: expect.stringContaining(path.basename(newest!).slice('backups.'.length)) as string,
    })
    expect(objects('backups')).toHaveLength(3)
    await back(2)
    expect(objects('backups')).toHaveLength(2)
    expect((await back(2)).problem).toBe(null)
    expect((await verifyBackups(vault)).problems).toEqual([])
    expect((await restore()).names).toEqual(['After', 'Ana', 'Before', 'Ben'])
  })
})

describe('a bucket', { timeout: 120_000 }, () => {
  it('keeps a backup under its prefix, which restores like one in a folder', async () => {
    const service = await startS3Simulator()
    try {
      const settings = readBackupSettings({
        BACKUP_PASSPHRASE: passphrase,
        BACKUP_S3_ENDPOINT: service.url,
        BACKUP_S3_ACCESS_KEY_ID: service.accessKeyId,
        BACKUP_S3_SECRET_ACCESS_KEY: service.secretAccessKey,
      })
      const target = await openTarget(settings, `s3://${service.bucket}/clinic`, { create: true })
      await makeBackup(clinic, target, { keep: 14, isContinuous: false })
      const folder = path.join(root, 'from-bucket')
      expect((await restoreClinic(target, folder)).files).toBe(1)
      expect(fs.existsSync(path.join(folder, 'postgres/data/PG_VERSION'))).toBe(true)
      await expect(openTarget(settings, 's3://x', { create: true })).rejects.toThrow(/^s3:\/\/x is no place for backups/)
    } finally {
      await service.stop()
    }
  })
})

describe('an external PostgreSQL', () => {
  const external = (program: string) =>
    makeBackup({ ...clinic, dataFolder: null, env: { ...clinic.env, PG_DUMP: program } }, vault, { keep: 14, isContinuous: false })

  it('is refused without pg_dump, or with one that is older than the server', async () => {
    const before = objects('blocks').length
    await expect(external('/no/such/pg_dump')).rejects.toThrow(
      /^An external database is backed up with pg_dump, and there is no \/no\/such\/pg_dump here\. Install PostgreSQL 18/,
    )
    const older = path.join(root, 'pg_dump')
    fs.writeFileSync(older, '#!/bin/sh\necho "pg_dump (PostgreSQL) 15.18"\n', { mode: 0o755 })
    await expect(external(older)).rejects.toThrow(/is version 15, older than the database, which is 18/)
    expect(objects('blocks')).toHaveLength(before)
  })

  it('keeps what pg_dump said, which may contain rows, out of the problem', async () => {
    const failing = path.join(root, 'failing')
    fs.writeFileSync(
      failing,
      '#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 18.1" && exit\necho "COPY Ana" >&2\nexit 1\n',
      {
        mode: 0o755,
      },
    )
    const error = await external(failing).catch((reason: unknown) => reason)
    expect(problemOf(error)).toMatch(/failing failed\./)
    expect(problemOf(error)).not.toContain('Ana')
    expect(error).toMatchObject({ output: 'COPY Ana' })
  })
})
