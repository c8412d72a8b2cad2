import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { useServer } from '../../../test/server.ts'

const server = useServer({ UPLOAD_STALL_SECONDS: '1' })

it('issue 9: a table or an archive whose bytes stop coming is given up with 408, and leaves nothing', async () => {
  const cookie = await server.signIn('admin')
  const post = (address: string, body: BodyInit) =>
    server.request(address, { method: 'POST', headers: { cookie }, body, duplex: 'half' } as RequestInit)
  const made = await post('/api/imports?name=papers.csv&kind=documents', 'File,Email\na.pdf,ana@elsewhere.example\n')
  const { id } = (await made.json()) as { id: string }
  const half = async function* () {
    yield Buffer.from('PK\x03\x04 and then')
    await new Promise(() => {})
  }
  for (const address of ['/api/imports?name=patients.xlsx', `/api/imports/${id}/files?path=papers.zip`]) {
    const answer = await post(address, Readable.toWeb(Readable.from(half())) as BodyInit)
    expect([address, answer.status, await answer.json()]).toMatchObject([address, 408, { code: 'UPLOAD_STALLED' }])
  }
  expect(await fs.readdir(path.join(server.running.runtime.env.DATA_DIR, 'imports'))).toEqual([])
  expect(await server.rows('select 1 from imports')).toHaveLength(1)
})
