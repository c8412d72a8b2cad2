import { practiceSettings } from './table.ts'
import type { Database } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import type { LivePractice, Logo } from '../../kernel/practice.ts'
import type { Events } from '../../kernel/events/events.ts'

type Row = typeof practiceSettings.$inferSelect

/** Id of the event 'practice' for changes of these settings. */
export const settingsEvent = 'settings'

/** Practice settings, named like the server's environment variables. */
const values = {
  PRACTICE_NAME: (row: Row) => row.name,
  PRACTICE_SUBTITLE: (row: Row) => row.subtitle,
  PRACTICE_SUBTITLE_FR: (row: Row) => row.subtitleFr,
  PRACTICE_ADDRESS: (row: Row) => row.address,
  PRACTICE_PHONE: (row: Row) => row.phone,
  PRACTICE_HOURS: (row: Row) => row.hours,
  PRACTICE_HOURS_FR: (row: Row) => row.hoursFr,
  PRACTICE_HST_NUMBER: (row: Row) => row.hstNumber,
  PRACTICE_TIME_ZONE: (row: Row) => row.timeZone,
  BRAND_HUE: (row: Row) => row.brandHue,
  COMPANY_DOMAINS: (row: Row) => row.companyDomains,
  MAIL_FROM: (row: Row) => row.mailFrom,
  MAIL_REPLY_TO: (row: Row) => row.mailReplyTo,
  PHOTO_WATERMARK: (row: Row) => row.photoWatermark,
  TEXT_QUIET_FROM: (row: Row) => row.textQuietFrom,
  TEXT_QUIET_TO: (row: Row) => row.textQuietTo,
  TEXTS_PER_PATIENT: (row: Row) => row.textsPerPatient,
  TEXTS_PER_DAY: (row: Row) => row.textsPerDay,
  TEXT_SEGMENT_PRICE: (row: Row) => row.textSegmentPrice,
} as const satisfies Partial<{ [Name in keyof Env]: (row: Row) => Env[Name] | null }>

/**
 * Single source of the practice settings. Values are read from `env` on each use, so a change applies immediately to calls, emails, PDFs
 * and jobs; other processes learn of it by event. Without events it is as of the last read.
 */
export function followPractice(started: Env, db: Database, events: Events | null, onError: (error: Error) => void): LivePractice {
  let row: Row | null = null
  let logo: ReturnType<LivePractice['logo']> = null
  let asked = 0

  async function readNow(): Promise<void> {
    const mine = ++asked
    const [found] = await db.select().from(practiceSettings)
    // Of simultaneous reads, the last one started is the newest, and both wait for it.
    if (mine !== asked) return reading
    row = found ?? null
    const { logo: png, logoHash: hash } = row ?? {}
    logo = png && hash ? logoOf(hash, Buffer.from(png, 'base64')) : null
  }
  let reading = Promise.resolve()
  function read() {
    reading = readNow()
    return reading
  }
  // Runs before other listeners, since this one subscribes first.
  events?.onEvent(({ topic, id }) => {
    if (topic === 'connected' || (topic === 'practice' && id === settingsEvent)) read().catch(onError)
  })

  const env = { ...started }
  for (const [name, of] of Object.entries(values)) {
    Object.defineProperty(env, name, { get: () => (row && of(row)) ?? started[name as keyof Env], enumerable: true })
  }
  return { env, started, logo: () => logo, read, whenLoaded: () => reading.catch(() => {}) }
}

/** Offset of a PNG's size: right after its signature and the header of its first chunk. */
const logoOf = (hash: string, png: Buffer<ArrayBuffer>): Logo => ({
  hash,
  png: new Uint8Array(png),
  width: png.readUInt32BE(16),
  height: png.readUInt32BE(20),
})
