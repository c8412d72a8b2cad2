import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { insertContact } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { openLocalStore } from '../integrations/storage/local.ts'
import type { Scope } from '../kernel/scope.ts'
import { reencryptFiles } from './encryption.ts'

const server = useServer()
const disk = () => openLocalStore(path.join(server.running.runtime.env.DATA_DIR, 'files'))

async function* bytes(content: Uint8Array) {
  yield content
}
async function contentOf(key: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync((await disk().get(key))!.bytes))
}
async function upload(text: string): Promise<{ id: string; contactId: string; key: string; place: string; content: Buffer }> {
  const content = Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)
  const contactId = await insertContact(server)
  const response = await server.request(`/api/contacts/${contactId}/documents?name=Scan.pdf`, {
    method: 'POST',
    headers: { cookie: await server.signIn('provider') },
    body: new Uint8Array(content),
  })
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as { id: string }
  const key = `documents/${id}`
  const place = (await Array.fromAsync(disk().list())).find((file) => file.key.endsWith(key))!.key
  return { id, contactId, key, place, content }
}
const download = async (id: string) => server.request(`/api/documents/${id}/file`, { headers: { cookie: await server.signIn('provider') } })
const reencrypt = () => reencryptFiles.run(server.running.runtime as unknown as Scope, {}, { last: true })

describe('files on the disk', () => {
  it('have nothing of an upload, in no folder of the server', async () => {
    const { id, content } = await upload('MARKER-OF-THIS-PATIENT')
    const folder = server.running.runtime.env.DATA_DIR
    const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const containing = files.filter((file) => fs.readFileSync(path.join(file.parentPath, file.name)).includes('MARKER-OF-THIS-PATIENT'))
    expect(files.length).toBeGreaterThan(0)
    expect(containing).toEqual([])
    expect(Buffer.from(await (await download(id)).arrayBuffer()).equals(content)).toBe(true)
  })

  it('that were stored in plain text stay readable, and are encrypted in the background, which System status shows', async () => {
    const { id, key, place, content } = await upload('stored by an earlier version')
    await disk().delete(place)
    await disk().put(key, bytes(content))
    expect(Buffer.from(await (await download(id)).arrayBuffer()).equals(content)).toBe(true)

    const admin = await server.as('admin')
    await reencrypt()
    expect(await disk().has(key)).toBe(false)
    expect((await contentOf(place)).includes('stored by an earlier version')).toBe(false)
    expect(Buffer.from(await (await download(id)).arrayBuffer()).equals(content)).toBe(true)
    expect((await admin.system.status()).files).toEqual({ remaining: 0, countedAt: expect.any(String) })
  })

  it('that were altered are not given out, and the audit log names them', async () => {
    const { id, contactId, key, place } = await upload('altered by a thief')
    const altered = await contentOf(place)
    altered[altered.length - 20]! ^= 1
    await disk().delete(place)
    await disk().put(place, bytes(altered))

    const response = await download(id)
    expect([response.status, await response.json()]).toMatchObject([410, { code: 'FILE_DAMAGED' }])
    const audited = await until(async () => {
      const rows = await server.rows("select contact_ids, after from audit_log where action = 'denied' and kind = 'document'")
      return rows.length > 0 && rows
    })
    expect(audited).toEqual([{ contact_ids: [contactId], after: { id, file: key, problem: 'altered' } }])
    await disk().delete(place)
  })
})
