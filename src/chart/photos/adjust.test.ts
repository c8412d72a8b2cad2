import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { cornersOf, picture } from '../../../test/documents/test-images.ts'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import type { Scope } from '../../kernel/scope.ts'
import { unadjusted } from './adjust-rules.ts'
import { sharedCopyOf } from './service.ts'

const server = useServer()
let provider: Client
beforeAll(async () => {
  provider = await server.as('provider')
})

async function addPhoto(bytes: Buffer): Promise<{ id: string; contactId: string }> {
  const contactId = await insertContact(server)
  const { id: seriesId } = await provider.photos.addSeries({ contactId, shotList: 'face', timePoint: 'pre_op', takenOn: '2026-01-31' })
  const id = randomUUID()
  const query = new URLSearchParams({ id, view: 'front', name: 'a.jpg', takenAt: '2026-01-31T14:30:00Z' })
  const sent = await server.request(`/api/photo-series/${seriesId}/photos?${query}`, {
    method: 'POST',
    headers: { cookie: await server.signIn('provider') },
    body: new Uint8Array(bytes),
  })
  expect(sent.status).toBe(201)
  return { id, contactId }
}
/** Corners: red, green, blue and white, from the top left. */
const upright = () => picture('jpeg', { width: 400, height: 300, orientation: 1 })
const scope = () => server.running.runtime as unknown as Scope
async function shared(id: string): Promise<Buffer> {
  const copy = await sharedCopyOf(scope(), id)
  if (!copy || 'refusal' in copy) throw new Error(`No copy: ${JSON.stringify(copy)}`)
  return buffer(copy.bytes)
}
const filesOf = (id: string) =>
  server.rows<{ kind: string; storage_key: string }>('select kind, storage_key from photo_files where photo_id = $1', [id])
const sizeOf = async (bytes: Buffer) => {
  const { width, height } = await sharp(bytes).metadata()
  return [width, height]
}
/** Of the brightness in a part. */
async function statistics(bytes: Buffer, part: { left: number; top: number; width: number; height: number }) {
  // Statistics are those of the input, whatever is done to it.
  const { channels } = await sharp(await sharp(bytes).extract(part).greyscale().png().toBuffer()).stats()
  return channels[0]!
}
const bar = { kind: 'bar', x: 0.5, y: 0.5, width: 0.5, height: 0.2, turn: 0 } as const

describe('how a photo is shown', () => {
  it('is kept with the photo, changes no file, and is changed by one person at a time (issue 27)', async () => {
    const { id, contactId } = await addPhoto(await upright())
    const [series] = await provider.photos.ofContact({ contactId })
    expect(series!.photos[0]).toMatchObject({ adjustment: null, version: 1 })
    const files = await filesOf(id)
    const adjustment = { turn: 1.5, crop: { x: 0.1, y: 0.2, width: 0.5, height: 0.6 }, blurs: [bar] }
    expect(await provider.photos.adjust({ id, version: 1, ...adjustment })).toMatchObject({ adjustment, version: 2 })
    expect(await refusal(provider.photos.adjust({ id, version: 1, ...unadjusted }))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      data: { current: { version: 2, adjustment } },
    })
    expect(await filesOf(id)).toEqual(files)
    expect(await provider.photos.adjust({ id, version: 2, ...unadjusted })).toMatchObject({ adjustment: null, version: 3 })
    const rows = await server.rows<{ before: { adjustment: unknown }; after: { adjustment: unknown } }>(
      "select before, after from audit_log where kind = 'photo' and action = 'changed' and contact_ids = array[$1]::uuid[] order by id",
      [contactId],
    )
    expect(rows.map(({ before, after }) => [before.adjustment, after.adjustment])).toEqual([
      [null, adjustment],
      [adjustment, null],
    ])
  })

  it.each([
    ['a crop outside the photo', { crop: { x: 0.8, y: 0, width: 0.5, height: 1 } }],
    ['a crop of nothing', { crop: { x: 0, y: 0, width: 0, height: 1 } }],
    ['more than half a turn', { turn: 200 }],
    ['too many blurs', { blurs: Array.from({ length: 11 }, () => bar) }],
    ['a blur outside the photo', { blurs: [{ ...bar, x: 2 }] }],
    ['an unknown kind of blur', { blurs: [{ ...bar, kind: 'sticker' }] }],
  ])('refuses %s, and keeps what was there (issue 27)', async (_, given) => {
    const { id, contactId } = await addPhoto(await upright())
    const refused = await server.send(
      'PUT',
      `/api/photos/${id}/adjustment`,
      { version: 1, ...unadjusted, ...given },
      await server.signIn('provider'),
    )
    expect(refused.status).toBe(422)
    expect((await provider.photos.ofContact({ contactId }))[0]!.photos[0]).toMatchObject({ adjustment: null, version: 1 })
  })

  it('of a deleted or unknown photo is not found (issue 27)', async () => {
    const { id } = await addPhoto(await upright())
    await provider.photos.delete({ id })
    for (const one of [id, randomUUID()])
      expect(await refusal(provider.photos.adjust({ id: one, version: 1, ...unadjusted }))).toMatchObject({ status: 404 })
    expect(await sharedCopyOf(scope(), id)).toBe(null)
  })
})

describe('the copy that may leave the chart', () => {
  it('is the copy for the screen while nothing is changed, and no other file is made (issue 27)', async () => {
    const { id } = await addPhoto(await upright())
    expect(await cornersOf(await shared(id))).toEqual(['red', 'green', 'blue', 'white'])
    expect((await filesOf(id)).map(({ kind }) => kind).toSorted()).toEqual(['original', 'screen', 'thumbnail'])
  })

  it('is turned and cropped as the photo is shown, and has no metadata (issue 27)', async () => {
    const { id } = await addPhoto(await upright())
    await provider.photos.adjust({ id, version: 1, ...unadjusted, turn: 90 })
    const turned = await shared(id)
    expect([await sizeOf(turned), await cornersOf(turned)]).toEqual([
      [300, 400],
      // Turned clockwise, what was at the bottom left is at the top left.
      await cornersOf(
        await sharp(await upright())
          .rotate(90)
          .toBuffer(),
      ),
    ])
    const { exif, xmp, icc } = await sharp(turned).metadata()
    expect([exif, xmp, icc === undefined || icc.length > 0]).toEqual([undefined, undefined, true])

    await provider.photos.adjust({ id, version: 2, ...unadjusted, crop: { x: 0.5, y: 0, width: 0.5, height: 0.5 } })
    const cropped = await shared(id)
    expect(await sizeOf(cropped)).toEqual([200, 150])
    const [, topRight] = await cornersOf(await upright())
    expect(new Set(await cornersOf(cropped)).has(topRight!)).toBe(true)
  })

  it('has its blurs burnt in: a bar covers, and an ellipse leaves no detail (issue 27)', async () => {
    // Fine stripes, which stand for a face.
    const stripes = Buffer.alloc(400 * 300 * 3)
    for (let place = 0; place < 400 * 300; place++) stripes.fill((place % 400) % 8 < 4 ? 230 : 20, place * 3, place * 3 + 3)
    const striped = await sharp(stripes, { raw: { width: 400, height: 300, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer()
    const { id } = await addPhoto(striped)
    const spread = (bytes: Buffer, left: number, top: number) => statistics(bytes, { left, top, width: 40, height: 20 })
    expect((await spread(await shared(id), 180, 140)).stdev).toBeGreaterThan(80)

    await provider.photos.adjust({ id, version: 1, ...unadjusted, blurs: [bar] })
    const barred = await spread(await shared(id), 180, 140)
    expect([barred.max < 24, barred.stdev < 4]).toEqual([true, true])

    await provider.photos.adjust({ id, version: 2, ...unadjusted, blurs: [{ ...bar, kind: 'ellipse', height: 0.5, turn: 30 }] })
    const copy = await shared(id)
    expect((await spread(copy, 180, 140)).stdev).toBeLessThan(12)
    // Elsewhere it is as sharp as before.
    expect((await spread(copy, 10, 10)).stdev).toBeGreaterThan(80)
  })

  it('is made once, also when it is asked for many times at once, and again after a change (issue 27)', async () => {
    const { id } = await addPhoto(await upright())
    await provider.photos.adjust({ id, version: 1, ...unadjusted, blurs: [bar] })
    const first = await Promise.all(Array.from({ length: 4 }, () => shared(id)))
    expect(new Set(first.map((bytes) => bytes.toString('base64'))).size).toBe(1)
    const kept = (await filesOf(id)).filter(({ kind }) => kind === 'shared')
    expect(kept).toHaveLength(1)
    await shared(id)
    expect((await filesOf(id)).filter(({ kind }) => kind === 'shared')).toEqual(kept)

    await provider.photos.adjust({ id, version: 2, ...unadjusted, blurs: [{ ...bar, y: 0.2 }] })
    expect((await filesOf(id)).map(({ kind }) => kind)).not.toContain('shared')
    expect(await server.running.runtime.files.get(kept[0]!.storage_key)).toBe(null)
    expect((await shared(id)).equals(first[0]!)).toBe(false)
  })

  it('never shows a face that was blurred while it was made (issue 27)', async () => {
    const { id } = await addPhoto(await upright())
    await provider.photos.adjust({ id, version: 1, ...unadjusted, turn: 10 })
    const [, , now] = await Promise.all([
      shared(id),
      provider.photos.adjust({ id, version: 2, ...unadjusted, turn: 10, blurs: [{ ...bar, width: 1, height: 1 }] }),
      shared(id),
    ])
    expect(now.length).toBeGreaterThan(0)
    expect((await statistics(await shared(id), { left: 100, top: 80, width: 100, height: 80 })).max).toBeLessThan(24)
  })

  it('is seen by staff before it leaves, which the audit log records (issue 27)', async () => {
    const { id, contactId } = await addPhoto(await upright())
    await provider.photos.adjust({ id, version: 1, ...unadjusted, blurs: [bar] })
    const open = async (role: 'provider' | 'front_desk', photoId = id) =>
      server.request(`/api/photos/${photoId}/shared`, { headers: { cookie: await server.signIn(role) } })
    const seen = await open('provider')
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(Buffer.from(await seen.arrayBuffer()).equals(await shared(id))).toBe(true)
    expect((await open('front_desk')).status).toBe(403)
    expect((await open('provider', randomUUID())).status).toBe(404)
    const views = await server.rows(
      "select 1 from audit_log where kind = 'photo' and action = 'viewed' and contact_ids = array[$1]::uuid[]",
      [contactId],
    )
    expect(views).toHaveLength(1)
  })
})
