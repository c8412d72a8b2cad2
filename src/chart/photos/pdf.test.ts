import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { picture } from '../../../test/documents/test-images.ts'
import { insertContact, insertOneOfEach } from '../../../test/factories.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { unadjusted } from './adjust-rules.ts'
import { maxPhotosOfPdf } from './rules.ts'

const server = useServer()
let provider: Client
beforeAll(async () => {
  provider = await server.as('provider')
})
const print = async (ids: readonly string[], role: 'provider' | 'front_desk' = 'provider') =>
  server.request(`/api/photos.pdf?ids=${ids.join(',')}`, { headers: { cookie: await server.signIn(role) } })
async function addPhoto(contactId: string, view: string): Promise<string> {
  const { id: seriesId } = await provider.photos.addSeries({ contactId, shotList: 'face', timePoint: 'pre_op', takenOn: '2026-01-31' })
  const id = randomUUID()
  const query = new URLSearchParams({ id, view, name: 'a.jpg', takenAt: '2026-01-31T14:30:00Z' })
  const sent = await server.request(`/api/photo-series/${seriesId}/photos?${query}`, {
    method: 'POST',
    headers: { cookie: await server.signIn('provider') },
    body: new Uint8Array(await picture('jpeg', { width: 400, height: 300 })),
  })
  expect(sent.status).toBe(201)
  return id
}

describe('photos as a PDF', () => {
  it('names the patient and the birth date, each view and its date, and is in the audit log as an export (issue 27)', async () => {
    const contactId = await insertContact(server, { firstName: 'Ana', lastName: 'Lavoie' })
    await server.rows("update contacts set date_of_birth = '1984-05-06' where id = $1", [contactId])
    const ids = [await addPhoto(contactId, 'left_profile'), await addPhoto(contactId, 'front')]
    await provider.photos.adjust({ id: ids[0]!, version: 1, ...unadjusted, turn: 5 })
    const response = await print(ids)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const text = (await textOfPdf(Buffer.from(await response.arrayBuffer()))).join('\n')
    for (const words of ['Ana Lavoie', 'Born May 6, 1984', 'Left profile, Pre-op', 'Front, Pre-op', 'Jan 31, 2026'])
      expect(text).toContain(words)
    expect(text.indexOf('Left profile')).toBeLessThan(text.indexOf('Front, Pre-op'))
    const rows = await server.rows<{ after: unknown }>(
      "select after from audit_log where kind = 'photo' and action = 'exported' and contact_ids = array[$1]::uuid[]",
      [contactId],
    )
    expect(rows).toEqual([{ after: { ids } }])
  })

  it('refuses photos of several patients, unknown and deleted ones, too many, and the front desk (issue 27)', async () => {
    const [mine, other] = [await insertOneOfEach(server), await insertOneOfEach(server)]
    expect((await print([mine.photoId, other.photoId])).status).toBe(422)
    expect((await print([mine.photoId, randomUUID()])).status).toBe(404)
    await provider.photos.delete({ id: other.photoId })
    expect((await print([other.photoId])).status).toBe(404)
    for (const ids of [[], ['x'], Array.from({ length: maxPhotosOfPdf + 1 }, () => randomUUID())])
      expect((await print(ids)).status).toBe(422)
    expect((await print([mine.photoId], 'front_desk')).status).toBe(403)
    const exported = await server.rows("select 1 from audit_log where action = 'exported' and contact_ids && array[$1, $2]::uuid[]", [
      mine.contactId,
      other.contactId,
    ])
    expect(exported).toEqual([])
  })
})
