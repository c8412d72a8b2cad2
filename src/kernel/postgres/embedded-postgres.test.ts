import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataFolderOf, postgresOwner, startEmbeddedPostgres, stopLeftServer, UnreachableDataError } from './embedded-postgres.ts'

describe('the bundled PostgreSQL', { timeout: 60_000 }, () => {
  let root: string
  beforeAll(() => {
    root = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'refyne-embedded-'))
    fs.chmodSync(root, 0o755) // PostgreSQL may run as another account
  })
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

  it('runs on the binaries of this version after an upgrade, but not under a server that is running', async () => {
    const left = path.join(root, 'pgbin/of-another-version')
    const server = await startEmbeddedPostgres(root)
    try {
      fs.writeFileSync(left, '')
      fs.writeFileSync(path.join(root, 'pgbin/.complete'), '18.0.0')
      expect((await startEmbeddedPostgres(root)).url('postgres')).toBe(server.url('postgres'))
      expect(fs.existsSync(left)).toBe(true)
    } finally {
      await server.stop()
    }
    const next = await startEmbeddedPostgres(root)
    await next.stop()
    expect(fs.existsSync(left)).toBe(false)
  })

  it('takes no unrelated program for its server, when postmaster.pid is left from a crash', async () => {
    const other = spawn('sleep', ['600'])
    try {
      const file = path.join(dataFolderOf(root), 'postmaster.pid')
      const lines = [other.pid, dataFolderOf(root), 0, 5432, path.join(root, 'socket'), '', '', 'ready']
      fs.writeFileSync(file, lines.join('\n'))
      await stopLeftServer(root)
      const server = await startEmbeddedPostgres(root)
      const second = await startEmbeddedPostgres(root)
      expect([server.isReused, second.isReused]).toEqual([false, true])
      await server.stop()
      expect(fs.existsSync(file)).toBe(false)
      expect([other.exitCode, other.signalCode]).toEqual([null, null])
    } finally {
      other.kill()
    }
  })

  it.runIf(process.getuid?.() === 0)('refuses the data of another account, and names the command', async () => {
    fs.chownSync(dataFolderOf(root), 12_345, 12_345)
    await expect(startEmbeddedPostgres(root)).rejects.toThrow(UnreachableDataError)
    await expect(startEmbeddedPostgres(root)).rejects.toThrow(/belongs to the user with the id 12345\. Run this as that user/)
    const { uid, gid } = postgresOwner()!
    fs.chownSync(dataFolderOf(root), uid, gid)
  })
})
