import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { useServer } from '../../../../test/server.ts'

const server = useServer({ UPLOAD_STALL_SECONDS: '1' })

it('answers 408 to a stalled upload of a table or an archive and leaves nothing behind', async () => {
  const cookie = await server.signIn('admin')
  const post = (url: string, body: BodyInit) =>
    server.request(url, { method: 'POST', headers: { cookie }, body, duplex: 'half' } as RequestInit)
  const created = await post('/api/imports?name=papers.csv&kind=documents', 'File,Email\na.pdf,ana@elsewhere.example\n')
  const { id } = (await created.json()) as { id: string }
  const half = async function* () {
    yield Buffer.from('PK\x03\x04 and then')
    await new Promise(() => {})
  }
  for (const url of ['/api/imports?name=patients.xlsx', `/api/imports/${id}/files?path=pdfs.zip`]) {
    const response = await post(url, Readable.toWeb(Readable.from(half())) as BodyInit)
    expect([url, response.status, await response.json()]).toMatchObject([url, 408, { code: 'UPLOAD_STALLED' }])
  }
  expect(await fs.readdir(path.join(server.running.runtime.env.DATA_DIR, 'imports'))).toEqual([])
  expect(await server.rows('select 1 from imports')).toHaveLength(1)
})
