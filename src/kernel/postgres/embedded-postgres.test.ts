import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataFolderOf, postgresOwner, startEmbeddedPostgres, UnreachableDataError } from './embedded-postgres.ts'

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

  it.runIf(process.getuid?.() === 0)('refuses the data of another account, and names the command', async () => {
    fs.chownSync(dataFolderOf(root), 12_345, 12_345)
    await expect(startEmbeddedPostgres(root)).rejects.toThrow(UnreachableDataError)
    await expect(startEmbeddedPostgres(root)).rejects.toThrow(/belongs to the user with the id 12345\. Run this as that user/)
    const { uid, gid } = postgresOwner()!
    fs.chownSync(dataFolderOf(root), uid, gid)
  })
})
