import { TZDate } from '@date-fns/tz'

/** The bytes of a WAL segment. */
export const segmentBytes = 16n * 1024n * 1024n

/** A position in the log, such as '1A/2B3C4D5E'. */
export function toPosition(lsn: string): bigint {
  const [high = '', low = ''] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

export const toLsn = (position: bigint): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase()

/** The name of the file in pg_wal that holds a position. */
export function segmentName(timeline: number, position: bigint): string {
  const segment = position / segmentBytes
  const perName = (1n << 32n) / segmentBytes
  return [BigInt(timeline), segment / perName, segment % perName].map((part) => hex(part, 8).toUpperCase()).join('')
}

const hex = (value: bigint, digits: number) => value.toString(16).padStart(digits, '0')

/** A stored part of the log: the bytes from `start` to before `end`. */
export type WalPiece = { key: string; chain: string; start: bigint; end: bigint; storedAt: Date }

export const pieceKey = (chain: string, start: bigint, end: bigint): string => `wal/${chain}/${hex(start, 16)}-${hex(end, 16)}`

export function toPiece({ key, modifiedAt }: { key: string; modifiedAt: Date }): WalPiece | null {
  const [, chain = '', start = '', end = ''] = /^wal\/([a-z0-9]+)\/([0-9a-f]{16})-([0-9a-f]{16})$/.exec(key) ?? []
  return end ? { key, chain, start: BigInt(`0x${start}`), end: BigInt(`0x${end}`), storedAt: modifiedAt } : null
}

/** The pieces that continue the log from a position without a gap, in order, and where they end. Pieces may overlap after a crash. */
export function continuous(pieces: readonly WalPiece[], from: bigint): { pieces: WalPiece[]; end: bigint; storedAt: Date | null } {
  const used: WalPiece[] = []
  let end = from
  for (const piece of pieces.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))) {
    if (piece.end <= end) continue
    if (piece.start > end) break
    used.push(piece)
    end = piece.end
  }
  return { pieces: used, end, storedAt: used.at(-1)?.storedAt ?? null }
}

/** What of a backup decides what must be kept for it. */
export type Kept = {
  blocks: ReadonlySet<string>
  files: ReadonlySet<string>
  /** The log that a restore to a later time needs. */
  log: { chain: string; from: bigint } | null
}

/** The objects that no kept backup needs. */
export function unneeded(objects: readonly { key: string; modifiedAt: Date }[], kept: readonly Kept[]): string[] {
  const from = new Map<string, bigint>()
  for (const { log } of kept) {
    const earliest = log && from.get(log.chain)
    if (log && (earliest === undefined || earliest === null || log.from < earliest)) from.set(log.chain, log.from)
  }
  return objects
    .filter((object) => {
      const [kind, ...rest] = object.key.split('/')
      const name = rest.join('/')
      if (kind === 'blocks') return !kept.some(({ blocks }) => blocks.has(name))
      if (kind === 'files') return !kept.some(({ files }) => files.has(name))
      const piece = kind === 'wal' ? toPiece(object) : null
      if (!piece) return false
      const first = from.get(piece.chain)
      return first === undefined || piece.end <= first
    })
    .map(({ key }) => key)
}

/** A time that a wrong clock has written: later than an hour from now. It says nothing about what was done. */
export const isFuture = (at: Date, now: Date): boolean => at.getTime() - now.getTime() > 3_600_000

/** Whether a daily backup is due: none has been made since the last time of day `at` ('02:30') in the practice's time zone. */
export function isDue(last: Date | null, now: Date, at: string, timeZone: string): boolean {
  if (!last || isFuture(last, now)) return true
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const planned = new TZDate(now.getTime(), timeZone)
  planned.setHours(hours, minutes, 0, 0)
  if (planned.getTime() > now.getTime()) planned.setDate(planned.getDate() - 1)
  return last.getTime() < planned.getTime()
}

/** When a backup began, which its id says: 20261127t023000123z-1a2b, or without milliseconds if an earlier version made it. */
export function timeOfId(id: string | undefined): Date | null {
  const [, year, month, day, hour, minute, second, thousandths = '000'] =
    /^(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)(\d{3})?z-/.exec(id ?? '') ?? []
  return second === undefined ? null : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${thousandths}Z`)
}

const day = 24 * 3_600_000
const parts = 30

/** Whether an object with this digest is read back today: each is on one day of thirty. */
export const isDayOf = (digest: string, now: Date): boolean =>
  Number.parseInt(digest.slice(0, 8), 16) % parts === Math.floor(now.getTime() / day) % parts

/** Whether a restore drill is due: weekly, and a day after one that failed. */
export const isDrillDue = (last: { endedAt: Date; isOk: boolean } | null, now: Date): boolean =>
  !last || isFuture(last.endedAt, now) || now.getTime() - last.endedAt.getTime() >= (last.isOk ? 7 * day : day)

/** A moment as it is typed: '2026-11-20 14:05' in the practice's time zone, or with an offset of its own. Null if it is not one. */
export function parseMoment(text: string, timeZone: string): Date | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(text.trim())
  if (!parts) return null
  const [, year, month, day, hour, minute, second = '0', zone] = parts
  const numbers = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const
  const isCalendarTime =
    new Date(Date.UTC(...numbers)).toISOString().slice(0, 16) === `${year}-${month}-${day}T${hour}:${minute}` && Number(second) < 60
  if (!isCalendarTime) return null
  const moment = zone ? new Date(text.trim().replace(' ', 'T').replace(/\s/g, '')) : new Date(new TZDate(...numbers, timeZone).getTime())
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** Whether administrators should worry: a daily backup that is two hours late. */
export const isBackupLate = (last: Date | string | null, now: Date): boolean =>
  last === null || now.getTime() - new Date(last).getTime() > day + 2 * 3_600_000

/** Changes are archived every minute, so more than five minutes without mean that it does not work. */
export const isArchiveLate = (last: Date | string | null, now: Date): boolean =>
  last === null || now.getTime() - new Date(last).getTime() > 5 * 60_000

/** '40 s', '12 min', '1.5 h' */
export function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return `${Number((seconds / 3_600).toFixed(1))} h`
}

/** The names of the stored objects of a kind: `blocks` or `files`. */
export const namesOf = (objects: readonly { key: string }[], kind: string): Set<string> =>
  namesIn(
    objects.map(({ key }) => key),
    kind,
  )

export const namesIn = (keys: Iterable<string>, kind: string): Set<string> =>
  new Set([...keys].filter((key) => key.startsWith(`${kind}/`)).map((key) => key.slice(kind.length + 1)))
