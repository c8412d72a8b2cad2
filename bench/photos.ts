import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import sharp, { type OutputInfo } from 'sharp'
import { type Clinic, openClinic } from './clinic/clinic.ts'
import { signIn } from './clinic/session.ts'
import { measurePair, type Side } from './load/pair.ts'
import { withClinic } from './load/measure.ts'
import { watchMemory } from './load/memory.ts'
import { type Process, startBarePhotoUploads } from './load/processes.ts'
import { loopDelay, startWatchedServer } from './mixed/server.ts'
import type { Options } from './options.ts'
import { median, progress, quantile, ratio, type Row, toRow } from './report.ts'
import { launchBrowser, newVisitor, slowDown } from './web/browser.ts'

const uploads = 500
const connections = 8
/** Photos of the series that is opened, and of each that uploads go to; a series takes 200. */
const [inSeries, perSeries] = [40, 50]
const slowed = 4
/** In milliseconds. */
const untilQuiet = 3_000
const openings = 7

/** In the clinic whose lists are measured. */
const photos = 1_000_000
const photosOfPatient = 20
/** Patients whose photos before and after are in the consult room, in two views. */
const shownPatients = 10_000

/** Measures uploads of photos of 8 MB against the same without encryption, the opening of a series, and the queries at 1,000,000 photos. */
export async function benchPhotos({ sizes, seconds, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  if ('uploads'.includes(only) || 'opening'.includes(only)) rows.push(...(await benchFiles(only)))
  if ('queries'.includes(only)) rows.push(...(await benchQueries(Math.min(...sizes), seconds)))
  return rows
}

async function benchFiles(only: string): Promise<Row[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-bench-photos-'))
  const plain = path.join(folder, 'plain')
  fs.mkdirSync(plain)
  const clinic = await openClinic(2_500)
  const server = await startWatchedServer(clinic.ownerUrl, folder)
  const bare = await startBarePhotoUploads(clinic.ownerUrl, plain)
  try {
    const cookie = await signIn(clinic.ownerUrl, server.url)
    const photo = await drawPhoto()
    const ours = { url: server.url, headers: { cookie, origin: server.url } }
    const theirs = { url: bare.url, headers: {} }
    for (const side of [ours, theirs]) await upload(side, await addSeries(clinic, 2), photo, 16)
    const rows = 'uploads'.includes(only) ? await measureUploads(clinic, server, [ours, theirs], photo) : []
    if ('opening'.includes(only)) rows.push(await measureOpening(clinic, ours, photo))
    return rows
  } finally {
    await Promise.all([server.stop(), bare.stop()])
    await clinic.close()
    fs.rmSync(folder, { recursive: true })
  }
}

async function measureUploads(clinic: Clinic, server: Process, [ours, bare]: [Side, Side], photo: Buffer): Promise<Row[]> {
  const half = uploads / 2
  const [rates, bareRates, peaks, delays]: [number[], number[], number[], number[]] = [[], [], [], []]
  // Half of them at a time, so that both sides see the same machine.
  for (let round = 1; round <= 2; round++) {
    await loopDelay(server)
    const watch = await watchMemory(server)
    try {
      rates.push(await upload(ours, await addSeries(clinic, half / perSeries), photo, half))
    } finally {
      peaks.push((await watch.stop()).peak)
    }
    delays.push((await loopDelay(server)).p99)
    bareRates.push(await upload(bare, await addSeries(clinic, half / perSeries), photo, half))
    progress(
      `  round ${round}: ${rates.at(-1)!.toFixed(1)} MB/s, unencrypted ${bareRates.at(-1)!.toFixed(1)} MB/s, memory ${peaks.at(-1)!.toFixed(0)} MB, event loop p99 ${delays.at(-1)!.toFixed(1)} ms`,
    )
  }
  const [rate, bareRate] = [median(rates), median(bareRates)]
  const name = `${uploads} uploads of ${(photo.length / 1024 / 1024).toFixed(1)} MB`
  return [
    toRow({
      case: name,
      connections,
      unit: 'MB/s',
      ours: rate,
      baseline: bareRate,
      ratio: ratio(rate, bareRate),
      aims: [{ of: 'ratio', atLeast: 0.6 }],
    }),
    toRow({
      case: `${name}: event loop delay, p99`,
      connections,
      unit: 'ms',
      ours: Math.max(...delays),
      aims: [{ of: 'ours', atMost: 50 }],
    }),
    toRow({
      case: `${name}: peak memory of the server`,
      connections,
      unit: 'MB',
      ours: Math.max(...peaks),
      aims: [{ of: 'ours', atMost: 600 }],
    }),
  ]
}

/** From the click on the tab until the series and every thumbnail in view are drawn. In milliseconds. */
async function measureOpening(clinic: Clinic, side: Side, photo: Buffer): Promise<Row> {
  const [seriesId] = await addSeries(clinic, 1)
  await upload(side, [seriesId!], photo, inSeries)
  const [patient] = await clinic.query<{ id: string }>('select contact_id as id from photo_series where id = $1', [seriesId])
  const browser = await launchBrowser()
  const times: number[] = []
  try {
    for (let round = 0; round < openings; round++) times.push(await openSeries(browser, side, patient!.id))
  } finally {
    await browser.close()
  }
  progress(`  opening: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`)
  return toRow({
    case: `opening a series of ${inSeries} with thumbnails, processor slowed ${slowed} times`,
    unit: 'ms',
    ours: quantile(times, 0.5),
    oursP50: quantile(times, 0.5),
    oursP99: Math.max(...times),
    aims: [{ of: 'ours', atMost: 1_000 }],
  })
}

async function openSeries(browser: Browser, { url, headers }: Side, patientId: string): Promise<number> {
  const context = await newVisitor(browser, url, headers.cookie!)
  try {
    const page = await context.newPage()
    await page.goto(`${url}/contacts/${patientId}`)
    const tab = page.getByRole('tab', { name: /^Photos/ })
    await tab.waitFor()
    // What the record loads in the background is not a part of the opening. Its stream of changes never ends.
    await page.waitForTimeout(untilQuiet)
    await slowDown(page, slowed)
    const begin = await page.evaluate(() => performance.now())
    await tab.click()
    const end = await page.waitForFunction((count) => {
      const tiles = [...document.querySelectorAll<HTMLImageElement>('main li img[src*="/thumbnail"]')]
      const shown = tiles.filter((tile) => tile.getBoundingClientRect().top < innerHeight)
      return tiles.length === count && shown.every((tile) => tile.complete && tile.naturalWidth > 0) && performance.now()
    }, inSeries)
    return ((await end.jsonValue()) as number) - begin
  } finally {
    await context.close()
  }
}

/** Adds series of patients by SQL. @returns their ids. */
async function addSeries(clinic: Clinic, count: number): Promise<string[]> {
  const rows = await clinic.query<{ id: string }>(
    `insert into photo_series (contact_id, shot_list, time_point, taken_on, created_at)
     select id, 'face', 'pre_op', '2026-03-01', now() from contacts order by random() limit $1 returning id`,
    [count],
  )
  return rows.map(({ id }) => id)
}

/** Sends a photo so often, to each series in turn. @returns MB per second. */
async function upload({ url, headers }: Side, series: readonly string[], photo: Buffer, count: number): Promise<number> {
  let sent = 0
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (sent < count) {
        const query = new URLSearchParams({ id: randomUUID(), view: 'front', takenAt: '2026-03-01T15:00:00Z', name: 'photo.jpg' })
        const response = await fetch(`${url}/api/photo-series/${series[sent++ % series.length]}/photos?${query}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'image/jpeg' },
          body: new Uint8Array(photo),
        })
        if (response.status !== 201) throw new Error(`The upload answered ${response.status}: ${await response.text()}`)
        await response.arrayBuffer()
      }
    }),
  )
  return (count * photo.length) / 1024 / 1024 / ((performance.now() - begin) / 1000)
}

/** A JPEG of 12 megapixels and 8 MB, as a phone takes them. */
async function drawPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 14 } as const
  const drawn = sharp({ create: { width: 4032, height: 3024, channels: 3, background: '#a08070', noise } })
  const raw = await drawn.raw().toBuffer({ resolveWithObject: true })
  const size = 8 * 1024 * 1024
  let [low, high] = [1, 100]
  while (high - low > 1) {
    const quality = Math.round((low + high) / 2)
    if ((await encode(raw, quality)).length > size) high = quality
    else low = quality
  }
  return encode(raw, high)
}
const encode = ({ data, info }: { data: Buffer; info: OutputInfo }, quality: number): Promise<Buffer> =>
  sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels as 3 } })
    .jpeg({ quality })
    .toBuffer()

/** The lists of photos in a clinic that has 1,000,000 of them. */
async function benchQueries(size: number, seconds: number): Promise<Row[]> {
  const rows: Row[] = []
  await withClinic(size, seconds, '', async (clinic, _measure, sides) => {
    progress(`  adding ${photos.toLocaleString('en-CA')} photos`)
    const ids = await addPhotos(clinic)
    const [procedure] = await clinic.query<{ id: string }>('select procedure_id as id from photo_series limit 1')
    const cases = {
      'photos of a patient': ids.map((id) => `/api/contacts/${id}/photos`),
      gallery: ['/api/consult-gallery'],
      'gallery of a procedure': [`/api/consult-gallery?procedureId=${procedure!.id}`],
    }
    for (const [name, paths] of Object.entries(cases)) {
      const requests = paths.map((path) => ({ method: 'GET' as const, path }))
      const { row } = await measurePair(sides, `${photos.toLocaleString('en-CA')} photos: ${name}`, 1, seconds, {
        ours: requests,
        bare: requests,
      })
      const [p50, bareP50] = [row.oursP50!, row.baselineP50!]
      progress(`  ${name}: ${p50.toFixed(2)} ms against ${bareP50.toFixed(2)} ms`)
      rows.push({ ...row, unit: 'ms', ours: p50, baseline: bareP50, ratio: ratio(p50, bareP50), aims: [{ of: 'ratio', atMost: 1.5 }] })
    }
  })
  return rows
}

/** Gives patients two series each, before and after, with ten photos in five views. @returns the ids of some. */
async function addPhotos(clinic: Clinic): Promise<string[]> {
  const patients = photos / photosOfPatient
  await clinic.query(
    `create temp table chosen as select id, row_number() over () as n from (select id from contacts order by md5(id::text) limit $1) as c`,
    [patients],
  )
  await clinic.query(
    `insert into photo_series (contact_id, procedure_id, shot_list, time_point, taken_on, technique, created_at)
     select chosen.id, (select id from procedures order by id offset chosen.n % (select count(*) from procedures) limit 1), 'face', point,
       date '2024-01-01' + (chosen.n % 700)::int + case point when 'pre_op' then 0 else 90 end, 'Technique ' || chosen.n % 5, now()
     from chosen, unnest(array['pre_op', 'month_3']) as point`,
  )
  await clinic.query(
    `insert into photos (id, contact_id, series_id, view, taken_at, mime_type, width, height, size, sha256, created_at)
     select gen_random_uuid(), contact_id, id, (array['front', 'left_oblique', 'left_profile', 'right_oblique', 'right_profile'])[1 + n % 5],
       taken_on + n * interval '1 minute', 'image/jpeg', 4032, 3024, 8000000, md5(id::text || n), now()
     from photo_series, generate_series(0, ${photosOfPatient / 2 - 1}) as n`,
  )
  await clinic.query(
    `insert into photo_consents (contact_id, purposes, given_on, note, recorded_at)
     select id, array['consult_room'], current_date, 'In words', now() from chosen where n <= ${shownPatients}`,
  )
  await clinic.query(
    `insert into photo_uses (photo_id, purpose, photo_consent_id, begun_at)
     select distinct on (photos.series_id, photos.view) photos.id, 'consult_room', consent.id, now()
     from photo_consents as consent join photos on photos.contact_id = consent.contact_id where view in ('front', 'left_profile')`,
  )
  await clinic.query('vacuum analyze photo_series, photos, photo_consents, photo_uses')
  const some = await clinic.query<{ id: string }>('select id from chosen where n % 500 = 0')
  return some.map(({ id }) => id)
}
