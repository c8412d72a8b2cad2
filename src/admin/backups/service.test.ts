import { beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { readAges, recordRun } from './service.ts'

describe('the state of the backups', () => {
  const server = useServer({ BACKUP_AT: '03:15', BACKUP_KEEP: '7' })
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })

  it('is shown to administrators, without a place where none is set', async () => {
    expect(await admin.backups.status({})).toMatchObject({
      place: null,
      at: '03:15',
      keep: 7,
      archivedAt: null,
      lastBackup: null,
      drills: [],
    })
    expect(await (await server.request('/health/ready')).json()).toEqual({ ready: true })
    expect((await refusal((await server.as('billing')).backups.status({}))).status).toBe(403)
  })

  it('has the last good backup beside a failed one, the drills, and one time of archiving', async () => {
    const { db } = server.running.runtime
    const at = (hours: number) => new Date(Date.UTC(2026, 10, 20, hours))
    await recordRun(db, 'backup', true, { seconds: 12, databaseBytes: 1_000, files: 3, fileBytes: 5, copiedBytes: 7 }, at(2))
    await recordRun(db, 'backup', false, { problem: 'The disk is full.' }, at(3))
    await recordRun(
      db,
      'drill',
      true,
      { restoredSeconds: 4.5, lostSeconds: 30, patients: 2, auditEntries: 9, filesRead: 3, problem: null },
      at(4),
    )
    for (const hours of [5, 6]) await recordRun(db, 'archive', true, {}, at(hours))
    const status = await admin.backups.status({})
    expect(status.lastBackup).toMatchObject({ isOk: true, seconds: 12, files: 3 })
    expect(status.backups.map(({ problem }) => problem)).toEqual(['The disk is full.', null])
    expect(status.drills).toMatchObject([{ restoredSeconds: 4.5, lostSeconds: 30, patients: 2 }])
    expect(new Date(status.archivedAt!)).toEqual(at(6))
    await recordRun(db, 'backup', true, {}, new Date(Date.now() + 60 * 24 * 3_600_000)) // by a wrong clock
    expect((await admin.backups.status({})).backups).toHaveLength(2)
    expect(await readAges(db, at(7))).toEqual({ backupAge: 5 * 3600, archiveAge: 3600 })
  })
})
