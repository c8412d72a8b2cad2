import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type pg from 'pg'
import sharp from 'sharp'
import { type PhotoView, shotLists, type TimePoint } from '../../src/chart/photos/rules.ts'
import type { FileStore } from '../../src/integrations/storage/store.ts'
import { day, hour } from '../clock.ts'
import { createRandom, type Random, uuidv7 } from '../random.ts'
import type { References } from '../rows.ts'
import { drawPortrait } from './portraits.ts'

const patientCount = 4
/** How many of them see their photos in the portal. */
const releasedCount = 2
/** Before and after, with a view that is still missing. */
const series: readonly { timePoint: TimePoint; daysAgo: number; views: readonly PhotoView[] }[] = [
  { timePoint: 'pre_op', daysAgo: 42, views: shotLists.face.views },
  { timePoint: 'week_3', daysAgo: 5, views: shotLists.face.views.slice(0, 4) },
]

/** Photos of the next surgical patients, whose charts have the most. The bytes come first, then the rows, in the caller's transaction. */
export async function addPhotos(client: pg.Client, files: FileStore, { staff }: References, seed: number, now: number): Promise<void> {
  const { rows } = await client.query<{ id: string; procedure: string | null }>(
    `select contacts.id, procedure_of_interest as procedure from contacts
     where exists (select from health_entries where contact_id = contacts.id)
       and procedure_of_interest in (select id from procedures where name ~* '(rhino|otoplasty|facelift|blepharo|brow)')
     order by (select min(starts_at) from surgeries where contact_id = contacts.id and starts_at > $1) nulls last, contacts.id limit $2`,
    [new Date(now), patientCount],
  )
  for (const [index, { id: contactId, procedure }] of rows.entries()) {
    for (const { timePoint, daysAgo, views } of series) {
      // At 15:00 UTC, in the clinic's hours.
      const at = Math.floor(now / day - daysAgo) * day + 15 * hour
      const random = createRandom(seed + index * 100 + daysAgo)
      const seriesId = uuidv7(at, 0, random)
      await client.query(
        `insert into photo_series (id, contact_id, procedure_id, shot_list, time_point, taken_on, created_by, created_at)
         values ($1, $2, $3, 'face', $4, $5, $6, $7)`,
        [seriesId, contactId, procedure, timePoint, new Date(at).toISOString().slice(0, 10), staff.provider, new Date(at)],
      )
      for (const [place, view] of views.entries()) {
        // The same seed draws the same face.
        const picture = await drawView(view, createRandom(seed + index))
        const photoId = await add(
          client,
          files,
          { contactId, seriesId, view, takenAt: at + place * 20_000, takenBy: staff.provider },
          picture,
          random,
        )
        if (index < releasedCount)
          await client.query('insert into photo_releases (photo_id, contact_id, released_by, released_at) values ($1, $2, $3, $4)', [
            photoId,
            contactId,
            staff.provider,
            new Date(now - day),
          ])
      }
    }
  }
}

async function drawView(view: PhotoView, random: Random): Promise<Buffer> {
  const [side, turn] = view.split('_')
  const portrait = sharp(await drawPortrait(turn === 'profile' ? 'side' : 'front', random, true))
  if (turn === 'profile') return (side === 'left' ? portrait : portrait.flop()).toBuffer()
  if (turn === 'oblique')
    return portrait
      .affine([0.86, 0, side === 'left' ? 0.08 : -0.08, 1], { background: '#b4bcc4' })
      .resize(600, 800)
      .toBuffer()
  return portrait.toBuffer()
}

type Taken = { contactId: string; seriesId: string; view: PhotoView; takenAt: number; takenBy: string }

async function add(
  client: pg.Client,
  files: FileStore,
  { contactId, seriesId, view, takenAt, takenBy }: Taken,
  original: Buffer,
  random: Random,
): Promise<string> {
  const id = uuidv7(takenAt, 0, random)
  const { width, height } = await sharp(original).metadata()
  await client.query(
    `insert into photos (id, contact_id, series_id, view, taken_at, taken_by, mime_type, width, height, size, sha256, created_at)
     values ($1, $2, $3, $4, $5, $6, 'image/jpeg', $7, $8, $9, $10, $5)`,
    [
      id,
      contactId,
      seriesId,
      view,
      new Date(takenAt),
      takenBy,
      width,
      height,
      original.length,
      createHash('sha256').update(original).digest('hex'),
    ],
  )
  const copies = { original, screen: original, thumbnail: await sharp(original).resize(480, 480, { fit: 'inside' }).toBuffer() }
  for (const [kind, bytes] of Object.entries(copies)) {
    const storageKey = `photos/${uuidv7(takenAt, 0, random)}`
    await files.delete(storageKey) // left over from a fill that was killed
    await files.put(storageKey, Readable.from([bytes]), { size: bytes.length })
    await client.query('insert into photo_files (photo_id, kind, storage_key) values ($1, $2, $3)', [id, kind, storageKey])
  }
  return id
}
