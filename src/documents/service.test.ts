import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { insertContact } from '../../test/factories.ts'
import { picture } from '../../test/documents/test-images.ts'
import { refusal } from '../../test/refusal.ts'
import { useServer } from '../../test/server.ts'
import type { Scope } from '../kernel/scope.ts'
import { sweepFiles } from '../admin/retention/sweep.ts'

let now = new Date('2026-11-21T15:00:00Z')
const server = useServer({}, { now: () => now })

const pdf = (text = randomUUID()) => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)

async function upload(contactId: string, options: { name?: string; bytes?: Buffer; query?: string } = {}) {
  const { name = 'Scan.pdf', bytes = pdf(), query = '' } = options
  const response = await server.request(`/api/contacts/${contactId}/documents?name=${encodeURIComponent(name)}${query}`, {
    method: 'POST',
    headers: { cookie: await server.signIn('provider') },
    body: new Uint8Array(bytes),
  })
  return { status: response.status, body: (await response.json()) as { id: string; code?: string; message?: string } }
}
const fetchFile = async (id: string, resource: 'file' | 'preview' = 'file') =>
  server.request(`/api/documents/${id}/${resource}`, { headers: { cookie: await server.signIn('provider') } })
const listStoredKeys = async () => {
  const keys: string[] = []
  for await (const { key } of server.running.runtime.files.list()) keys.push(key)
  return keys
}

describe('staff uploads', () => {
  it('are stored unchanged with kind, size and hash, accepted, not shared, and added to the timeline', async () => {
    const staff = await server.as('provider')
    const contactId = await insertContact(server)
    const bytes = pdf()
    const { status, body } = await upload(contactId, { name: 'Référence 2.pdf', bytes, query: '&type=referral' })
    expect(status).toBe(201)
    const [document] = await staff.documents.list({ contactId })
    expect(document).toMatchObject({
      id: body.id,
      name: 'Référence 2.pdf',
      mimeType: 'application/pdf',
      size: bytes.length,
      uploadSource: 'clinic',
      documentType: 'referral',
      isShared: false,
      reviewState: 'accepted',
    })
    expect(document).not.toHaveProperty('storageKey')
    const [row] = await server.rows<{ sha256: string }>('select sha256 from documents where id = $1', [body.id])
    expect(row!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    const response = await fetchFile(body.id)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect((await staff.interactions.list({ contactId })).data[0]).toMatchObject({
      type: 'document',
      description: 'Document added: Référence 2.pdf',
    })
  })

  it('are served completely to several clients at once, even after others disconnected midway', async () => {
    const contactId = await insertContact(server)
    const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n%'), Buffer.from(randomBytes(3_000_000).toString('hex')), Buffer.from('\n%%EOF\n')])
    const { body } = await upload(contactId, { bytes })
    for (let i = 0; i < 5; i++) {
      const hangUp = new AbortController()
      const headers = { cookie: await server.signIn('provider') }
      const response = await server.request(`/api/documents/${body.id}/file`, { headers, signal: hangUp.signal })
      await response.body!.getReader().read()
      hangUp.abort()
    }
    const downloads = await Promise.all(Array.from({ length: 8 }, async () => (await fetchFile(body.id)).arrayBuffer()))
    for (const download of downloads) expect(Buffer.from(download).equals(bytes)).toBe(true)
  })

  it('lose the location stored in an image', async () => {
    const contactId = await insertContact(server)
    const bytes = await picture('jpeg')
    const { body } = await upload(contactId, { name: 'Front view.jpg', bytes, query: '&type=photo' })
    const stored = Buffer.from(await (await fetchFile(body.id)).arrayBuffer())
    expect(bytes.includes('GPSLatitude')).toBe(true)
    expect(stored.includes('GPSLatitude')).toBe(false)
    expect(stored.length).toBe(bytes.length)
  })

  it('are refused for an unknown patient or type, an empty file or another kind, and leave nothing behind', async () => {
    const contactId = await insertContact(server)
    const before = (await listStoredKeys()).length
    expect(await upload(randomUUID())).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await upload('x')).toMatchObject({ status: 404 })
    expect(await upload(contactId, { query: '&type=nonsense' })).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
    expect(await upload(contactId, { bytes: Buffer.alloc(0) })).toMatchObject({ status: 422, body: { code: 'FILE_EMPTY' } })
    expect(await upload(contactId, { name: 'a.gif', bytes: Buffer.from('GIF89a') })).toMatchObject({
      status: 422,
      body: { code: 'FILE_TYPE' },
    })
    expect(await (await server.as('provider')).documents.list({ contactId })).toEqual([])
    expect(await listStoredKeys()).toHaveLength(before)
  })

  it('can be renamed with their extension, categorized and shared, but not from an older version', async () => {
    const staff = await server.as('front_desk')
    const contactId = await insertContact(server)
    const { body } = await upload(contactId)
    const changed = await staff.documents.update({
      id: body.id,
      version: 1,
      name: 'Consent, signed',
      documentType: 'consent',
      isShared: true,
    })
    expect(changed).toMatchObject({ name: 'Consent, signed.pdf', documentType: 'consent', isShared: true, version: 2 })
    expect(await refusal(staff.documents.update({ id: body.id, version: 1, name: 'x' }))).toMatchObject({
      code: 'CONFLICT',
      data: { current: { name: 'Consent, signed.pdf' } },
    })
    expect(await refusal(staff.documents.update({ id: body.id, version: 2, name: '' }))).toMatchObject({
      status: 422,
      data: { fields: { name: 'Name is required' } },
    })
    expect(await refusal(staff.documents.update({ id: randomUUID(), version: 1 }))).toMatchObject({ status: 404 })
  })

  it('disappear when deleted and are restored unchanged', async () => {
    const staff = await server.as('front_desk')
    const contactId = await insertContact(server)
    const { body } = await upload(contactId)
    await staff.documents.delete({ id: body.id })
    expect(await staff.documents.list({ contactId })).toEqual([])
    expect((await fetchFile(body.id)).status).toBe(404)
    expect(await refusal(staff.documents.delete({ id: body.id }))).toMatchObject({ status: 404 })
    expect(await staff.documents.restore({ id: body.id })).toMatchObject({ id: body.id, name: 'Scan.pdf' })
    expect((await fetchFile(body.id)).status).toBe(200)
  })

  it('move to the target of a merge with their files', async () => {
    const admin = await server.as('admin')
    const [target, source] = [await insertContact(server), await insertContact(server)]
    const { body } = await upload(source)
    const versions = await Promise.all([target, source].map((id) => admin.contacts.get({ id })))
    await admin.contacts.merge({ id: target, sourceId: source, version: versions[0]!.version, sourceVersion: versions[1]!.version })
    expect((await admin.documents.list({ contactId: target })).map(({ id }) => id)).toEqual([body.id])
    expect((await fetchFile(body.id)).status).toBe(200)
  })
})

describe('file sweep', () => {
  const sweep = () => sweepFiles.run(server.running.runtime as unknown as Scope, {}, { last: true })

  it('deletes files that nothing has referred to for 32 days and keeps them until then', async () => {
    const admin = await server.as('admin')
    const contactId = await insertContact(server)
    const { body } = await upload(contactId)
    const key = `documents/${body.id}`
    const start = now
    now = new Date(Date.now() + 2 * 3_600_000)
    const abandoned = `documents/${randomUUID()}`
    await server.running.runtime.files.put(
      abandoned,
      (async function* () {
        yield new Uint8Array(3)
      })(),
    )
    await admin.contacts.delete({ id: contactId })
    await sweep()
    expect(await listStoredKeys()).toEqual(expect.arrayContaining([key, abandoned]))
    now = new Date(now.getTime() + 31 * 24 * 3_600_000)
    await sweep()
    expect(await listStoredKeys()).toEqual(expect.arrayContaining([key, abandoned]))
    now = new Date(now.getTime() + 2 * 24 * 3_600_000)
    await sweep()
    expect(await listStoredKeys()).not.toContain(key)
    expect(await listStoredKeys()).not.toContain(abandoned)
    now = start
  })
})
