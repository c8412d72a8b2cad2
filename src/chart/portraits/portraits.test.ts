import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'

/** 400 by 300 pixels, red, with a place in its metadata. */
const picture = async () => {
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#c00' } })
  return (
    await image
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Ana' }, IFD3: { GPSLatitude: '43/1 39/1 0/1' } })
      .toBuffer()
  ).toString('base64')
}

describe('a portrait', () => {
  const server = useServer()
  let desk: Client
  beforeAll(async () => {
    desk = await server.as('front_desk')
  })

  it('is stored as a square without metadata, sealed, and replaced by the next (issue 26)', async () => {
    const contactId = await insertContact(server)
    expect(await desk.portraits.get({ contactId })).toEqual({ portrait: null })
    const { portrait } = await desk.portraits.set({ contactId, image: await picture() })
    const bytes = Buffer.from(portrait!.image, 'base64')
    const { format, width, height, exif } = await sharp(bytes).metadata()
    expect({ format, width, height, exif }).toEqual({ format: 'webp', width: 256, height: 256, exif: undefined })
    expect(await desk.portraits.get({ contactId })).toEqual({ portrait })
    const [row] = await server.rows<{ sealed_image: string }>('select sealed_image from portraits where contact_id = $1', [contactId])
    expect(row!.sealed_image).not.toContain(portrait!.image.slice(0, 40))
    await desk.portraits.set({ contactId, image: await picture() })
    expect(await server.rows('select 1 from portraits where contact_id = $1', [contactId])).toHaveLength(1)
    expect(await desk.portraits.remove({ contactId })).toEqual({ portrait: null })
    expect(await server.rows('select 1 from portraits where contact_id = $1', [contactId])).toEqual([])
    const log = await server.rows<{ action: string }>(
      `select action from audit_log where kind = 'portrait' and contact_ids = array[$1::uuid] order by id`,
      [contactId],
    )
    expect(log.map(({ action }) => action)).toEqual(['changed', 'changed', 'deleted'])
  })

  it('is refused if it is no picture, too large or for no one, and nothing changes', async () => {
    const contactId = await insertContact(server)
    const { portrait } = await desk.portraits.set({ contactId, image: await picture() })
    const refusedWith = async (image: string, id = contactId) => {
      const { status, code, data } = await refusal(desk.portraits.set({ contactId: id, image }))
      return [status, code, Object.keys(data?.fields ?? {})]
    }
    expect(await refusedWith('')).toEqual([422, 'INVALID_INPUT', ['image']])
    expect(await refusedWith('not base64!')).toEqual([422, 'INVALID_INPUT', ['image']])
    expect(await refusedWith(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'))).toEqual([
      422,
      'UNREADABLE_IMAGE',
      ['image'],
    ])
    expect(await refusedWith('A'.repeat(200_004))).toEqual([422, 'INVALID_INPUT', ['image']])
    expect(await refusedWith(await picture(), '00000000-0000-4000-8000-000000000000')).toEqual([404, 'NOT_FOUND', []])
    expect(await desk.portraits.get({ contactId })).toEqual({ portrait })
  })
})
