/**
 * The baseline for uploads of photos, in a separate process: receives a photo, makes the same copies in the same workers and stores the
 * bytes as they are, with the same rows. It has no encryption, sessions, permissions, validation or audit entries.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { preparePhoto } from '../../src/documents/inspection/file-pools.ts'

const folder = process.env.FOLDER!
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 10 })

const server = createServer((request, response) => {
  store(request).then(
    () => response.writeHead(201).end('{}'),
    (error: unknown) => {
      console.error(error)
      response.writeHead(500).end()
    },
  )
})
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on('SIGTERM', () => process.exit(0))

async function store(request: IncomingMessage): Promise<void> {
  const url = new URL(request.url!, 'http://bare')
  const seriesId = url.pathname.split('/')[3]
  const id = url.searchParams.get('id')!
  const file = path.join(folder, `${id}.upload`)
  await pipeline(request, createWriteStream(file))
  const photo = await preparePhoto({ file, name: 'photo.jpg' })
  if ('refusal' in photo) throw new Error(photo.refusal)
  await Promise.all([
    pipeline(createReadStream(file), createWriteStream(path.join(folder, `${id}.original`))),
    fs.writeFile(path.join(folder, `${id}.screen`), photo.screen),
    fs.writeFile(path.join(folder, `${id}.thumbnail`), photo.thumbnail),
  ])
  await fs.rm(file)
  await pool.query(
    `with added as (
       insert into photos (id, contact_id, series_id, view, taken_at, mime_type, width, height, size, sha256, created_at)
       select $1, contact_id, id, $3, $4, 'image/jpeg', $5, $6, $7, $8, now() from photo_series where id = $2 returning id)
     insert into photo_files (photo_id, kind, storage_key)
     select id, kind, 'bare/' || id || '.' || kind from added, unnest(array['original', 'screen', 'thumbnail']) as kind`,
    [id, seriesId, url.searchParams.get('view'), url.searchParams.get('takenAt'), photo.width, photo.height, photo.size, photo.sha256],
  )
}
