import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact, insertOneOfEach } from '../../../test/factories.ts'
import { unzip } from '../../../test/formats/zip.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Account, type Client, useServer } from '../../../test/server.ts'
import { markupLimits, type Shape } from './markup-rules.ts'

const server = useServer()
let provider: Client
let colleague: Account
beforeAll(async () => {
  provider = await server.as('provider')
  colleague = await server.account({ role: 'provider' })
})

const text = (id = 'a', given: object = {}): Shape => ({
  id,
  kind: 'text',
  colour: 'yellow',
  at: [0.5, 0.25],
  text: 'Scar',
  size: 'medium',
  ...given,
})
const measure = (id: string, knownMm: number | null): Shape => ({
  id,
  kind: 'measure',
  colour: 'white',
  from: [0.1, 0.1],
  to: [0.2, 0.1],
  knownMm,
})
const startPhoto = async () => insertOneOfEach(server)
const answer = async (method: string, path: string, body: object | undefined, cookie: string) => {
  const response = await server.send(method, path, body, cookie)
  return { status: response.status, ...((await response.json()) as { code?: string }) }
}
const logged = (contactId: string) =>
  server.rows<{ action: string; before: unknown }>(
    "select action, before from audit_log where kind = 'photo layer' and contact_ids = array[$1]::uuid[] order by id",
    [contactId],
  )

describe('layers of markup on a photo', () => {
  it('keep what was drawn, its author and its time, and leave the photo as it is (issue 27)', async () => {
    const { photoId } = await startPhoto()
    const [before] = await server.rows('select * from photos where id = $1', [photoId])
    const shapes: Shape[] = [
      {
        id: 'p',
        kind: 'pen',
        colour: 'red',
        points: [
          [0, 0],
          [0.5, 1],
        ],
      },
      { id: 'r', kind: 'arrow', colour: 'blue', from: [0.1, 0.2], to: [0.3, 0.4] },
      measure('m', 24.5),
      text('t'),
    ]
    const added = await provider.photos.addLayer({ photoId, shapes })
    const layers = await provider.photos.layers({ photoId })
    expect(layers.at(-1)).toEqual(added)
    expect(added).toMatchObject({ photoId, version: 1, shapes, authorId: expect.any(String), createdAt: expect.any(String) })
    expect((await server.rows('select * from photos where id = $1', [photoId]))[0]).toEqual(before)
  })

  it.each([
    ['no shape', [], 'Draw something first'],
    ['too many shapes', Array.from({ length: 101 }, (_, place) => text(String(place))), 'at most 100 shapes'],
    ['places outside the photo', [text('a', { at: [1.2, 0.5] })], 'outside the photo'],
    ['places that are no numbers', [text('a', { at: ['x', 0.5] })], 'outside the photo'],
    ['empty texts', [text('a', { text: '  ' })], 'Enter a text'],
    ['long texts', [text('a', { text: 'x'.repeat(201) })], 'at most 200 characters'],
    [
      'strokes with too many points',
      [{ id: 'a', kind: 'pen', colour: 'red', points: Array.from({ length: 401 }, () => [0.5, 0.5]) }],
      '400',
    ],
    [
      'too many points altogether',
      Array.from({ length: 11 }, (_, place) => ({
        id: String(place),
        kind: 'pen',
        colour: 'red',
        points: Array.from({ length: 400 }, () => [0.5, 0.5]),
      })),
      'too many strokes',
    ],
    ['two known lengths', [measure('a', 10), measure('b', 20)], 'Only one line'],
    ['known lengths of nothing', [{ ...measure('a', 10), to: [0.1, 0.1] }], 'can’t be a point'],
    ['impossible lengths', [measure('a', 0)], 'between 0.1 and 2000 mm'],
    ['the same id twice', [text('a'), text('a')], 'the same id'],
    ['unknown kinds', [{ id: 'a', kind: 'stamp', colour: 'red' }], ''],
  ] as [string, Shape[], string][])('refuse %s, and store nothing (issue 27)', async (_, shapes, words) => {
    const { photoId } = await startPhoto()
    const before = await provider.photos.layers({ photoId })
    const refused = await refusal(provider.photos.addLayer({ photoId, shapes }))
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.status).toBeLessThan(500)
    expect(JSON.stringify(refused.data) + refused.message).toContain(words)
    expect(await provider.photos.layers({ photoId })).toEqual(before)
  })

  it('are changed and deleted by their author only, and the audit log keeps what was there (issue 27)', async () => {
    const { photoId, contactId } = await startPhoto()
    const layer = await provider.photos.addLayer({ photoId, shapes: [text()] })
    const path = `/api/photo-layers/${layer.id}`
    const change = { version: 1, shapes: [text('a', { text: 'Other' })] }
    for (const [method, body] of [
      ['PUT', change],
      ['DELETE', undefined],
    ] as const)
      expect(await answer(method, path, body, colleague.cookie)).toMatchObject({ status: 409, code: 'NOT_AUTHOR' })
    expect(await answer('PUT', path, change, await server.signIn('admin'))).toMatchObject({ status: 409, code: 'NOT_AUTHOR' })

    expect(await provider.photos.changeLayer({ id: layer.id, ...change })).toMatchObject({ version: 2, shapes: change.shapes })
    expect(await refusal(provider.photos.changeLayer({ id: layer.id, ...change }))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      data: { current: { version: 2 } },
    })
    expect(await provider.photos.deleteLayer({ id: layer.id })).toEqual({ id: layer.id })
    expect(await refusal(provider.photos.deleteLayer({ id: layer.id }))).toMatchObject({ status: 404 })
    const rows = (await logged(contactId)).filter(({ action }) => action !== 'viewed')
    expect(rows.map(({ action }) => action)).toEqual(['created', 'changed', 'deleted'])
    expect(JSON.stringify(rows[1]!.before)).toContain('Scar')
    expect(JSON.stringify(rows[2]!.before)).toContain('Other')
  })

  it('are limited in number, also when they are added at the same time (issue 27)', async () => {
    const { photoId } = await startPhoto()
    const there = (await provider.photos.layers({ photoId })).length
    const attempts = await Promise.allSettled(
      Array.from({ length: markupLimits.layers + 5 }, () => provider.photos.addLayer({ photoId, shapes: [text()] })),
    )
    const added = attempts.filter(({ status }) => status === 'fulfilled').length
    expect(added).toBe(markupLimits.layers - there)
    expect(await provider.photos.layers({ photoId })).toHaveLength(markupLimits.layers)
    expect(await refusal(provider.photos.addLayer({ photoId, shapes: [text()] }))).toMatchObject({ status: 409, code: 'FULL' })
  })

  it('of a deleted photo are not found, and are back with it (issue 27)', async () => {
    const { photoId } = await startPhoto()
    const layer = await provider.photos.addLayer({ photoId, shapes: [text()] })
    await provider.photos.delete({ id: photoId })
    expect(await refusal(provider.photos.layers({ photoId }))).toMatchObject({ status: 404 })
    expect(await refusal(provider.photos.addLayer({ photoId, shapes: [text()] }))).toMatchObject({ status: 404 })
    expect(await refusal(provider.photos.deleteLayer({ id: layer.id }))).toMatchObject({ status: 404 })
    await provider.photos.restore({ id: photoId })
    expect((await provider.photos.layers({ photoId })).map(({ id }) => id)).toContain(layer.id)
    expect(await refusal(provider.photos.layers({ photoId: randomUUID() }))).toMatchObject({ status: 404 })
  })

  it('have each look at them in the audit log (issue 27)', async () => {
    const { photoId, contactId } = await startPhoto()
    await provider.photos.layers({ photoId })
    expect((await logged(contactId)).map(({ action }) => action)).toEqual(['viewed'])
  })

  it('move with the patient in a merge, and are in the export of the record (issue 27)', async () => {
    const { photoId, contactId } = await startPhoto()
    const layer = await provider.photos.addLayer({ photoId, shapes: [text()] })
    const target = await insertContact(server)
    const admin = await server.as('admin')
    const versions = await Promise.all([target, contactId].map((id) => admin.contacts.get({ id })))
    await admin.contacts.merge({
      id: target,
      sourceId: contactId,
      version: versions[0]!.version,
      sourceVersion: versions[1]!.version,
    })
    const zip = await server.request(`/api/contacts/${target}/whole-record.zip`, { headers: { cookie: await server.signIn('admin') } })
    const entries = await unzip(Buffer.from(await zip.arrayBuffer()))
    const record = JSON.parse(entries.get('record.json')!.toString()) as { photo_layers: { id: string; shapes: object }[] }
    expect(record.photo_layers).toContainEqual(expect.objectContaining({ id: layer.id, shapes: [text()] }))
  })
})
