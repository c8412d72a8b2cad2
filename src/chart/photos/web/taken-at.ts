import { instantOf, parseDay } from '../../../shared/zoned-time.ts'

/** In bytes: cameras write when a photo was taken near the beginning. */
const headSize = 1024 * 1024
/** Clocks that were never set begin in the seventies or eighties. */
const firstYear = 1995

/**
 * When a camera took a photo: by what it wrote into the file, else by when the file was last changed. Cameras write their local time, often without
 * the zone, which then is the practice's.
 */
export async function takenAtOf(file: File, timeZone: string): Promise<Date> {
  const now = Date.now()
  const written = await writtenTime(file, timeZone)
  return written && written.getTime() <= now ? written : new Date(Math.min(file.lastModified || now, now))
}

async function writtenTime(file: File, timeZone: string): Promise<Date | null> {
  try {
    const { load } = await import('exifreader')
    const tags = load(await file.slice(0, headSize).arrayBuffer(), { includeTags: { exif: ['DateTimeOriginal', 'OffsetTimeOriginal'] } })
    return parseCameraTime(tags.DateTimeOriginal?.description ?? '', tags.OffsetTimeOriginal?.description ?? '', timeZone)
  } catch {
    // A file without metadata, or with broken ones: whether it is a photo, the server decides.
    return null
  }
}

/** Reads '2026:11:27 10:04:05' and '-05:00', as cameras write them; null if it is no time or the camera's clock was not set. */
export function parseCameraTime(time: string, offset: string, timeZone: string): Date | null {
  const [, year, month, day, hours, minutes, seconds] = /^(\d{4}):(\d{2}):(\d{2}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d)/.exec(time) ?? []
  const date = `${year}-${month}-${day}`
  if (Number(year) < firstYear || Number.isNaN(parseDay(date).getTime())) return null
  if (/^[+-][01]\d:[0-5]\d$/.test(offset)) return new Date(`${date}T${hours}:${minutes}:${seconds}${offset}`)
  return new Date(instantOf({ day: date, time: `${hours}:${minutes}` }, timeZone).getTime() + Number(seconds) * 1000)
}
