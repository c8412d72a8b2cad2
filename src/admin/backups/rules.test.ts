import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { continuous, isDayOf, isDue, parseMoment, pieceKey, segmentName, timeOfId, toLsn, toPiece, toPosition, unneeded } from './rules.ts'

const modifiedAt = new Date(0)
const position = fc.bigInt(0n, (1n << 50n) - 1n)

describe('positions in the log', () => {
  it('are written and read the same, as are the names of pieces', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        expect(toPosition(toLsn(a))).toBe(a)
        expect(toPiece({ key: pieceKey('c0ffee', a, b), modifiedAt })).toMatchObject({ chain: 'c0ffee', start: a, end: b })
      }),
    )
    expect(toLsn(toPosition('1A/2B3C4D5E'))).toBe('1A/2B3C4D5E')
    expect(segmentName(1, toPosition('2/FF000028'))).toBe('0000000100000002000000FF')
    expect(toPiece({ key: 'wal/c0ffee/12', modifiedAt })).toBe(null)
  })

  it('continue without a gap, whatever the overlaps and the order of the pieces', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(cuts, fc.nat(30), fc.nat(19), (ends, overlap, missing) => {
        const sorted = ends.toSorted((a, b) => a - b)
        const all = sorted.map((end, i) => {
          const start = BigInt(Math.max(0, (sorted[i - 1] ?? 0) - (i % 2 ? overlap : 0)))
          return toPiece({ key: pieceKey('c', start, BigInt(end)), modifiedAt })!
        })
        expect(continuous(all.toReversed(), 0n).end).toBe(BigInt(sorted.at(-1)!))
        const [gone] = all.splice(missing % all.length, 1)
        const { end, pieces } = continuous(all, 0n)
        // Without one, the log ends where it began, unless the next one overlaps all of it.
        if (!all.some(({ start, end: to }) => start <= gone!.start && to > gone!.start)) expect(end).toBeLessThanOrEqual(gone!.start)
        for (const [i, piece] of pieces.entries()) expect(piece.start <= (pieces[i - 1]?.end ?? 0n)).toBe(true)
      }),
    )
  })
})

it.each([
  ['20261127t023000123z-1a2b', '2026-11-27T02:30:00.123Z'],
  ['20261127t023000z-1a2b', '2026-11-27T02:30:00.000Z'],
  ['notes.txt', undefined],
])('reads from the id %s that the backup began at %s', (id, time) => expect(timeOfId(id)?.toISOString()).toBe(time))

it('reads each object back on one day of any thirty', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-f]{40}$/), fc.nat(40_000), (digest, first) => {
      const days = Array.from({ length: 30 }, (_, i) => new Date((first + i) * 24 * 3_600_000))
      expect(days.filter((now) => isDayOf(digest, now))).toHaveLength(1)
    }),
  )
})

it('removes only what no kept backup needs', () => {
  const keys = [
    'identity',
    'backups/1',
    'blocks/a',
    'blocks/b',
    'files/documents/1',
    'files/documents/2',
    pieceKey('aa', 0n, 10n),
    pieceKey('aa', 10n, 20n),
    pieceKey('aa', 5n, 11n),
    pieceKey('bb', 0n, 10n),
    'something/else',
  ]
  const kept = [
    { blocks: new Set(['b']), files: new Set(['documents/2']), log: { chain: 'aa', from: 15n } },
    { blocks: new Set<string>(), files: new Set<string>(), log: { chain: 'aa', from: 10n } },
    { blocks: new Set<string>(), files: new Set<string>(), log: null },
  ]
  expect(
    unneeded(
      keys.map((key) => ({ key, modifiedAt })),
      kept,
    ),
  ).toEqual(['blocks/a', 'files/documents/1', pieceKey('aa', 0n, 10n), pieceKey('bb', 0n, 10n)])
})

it.each([
  [null, '2026-11-20T12:00:00Z', true],
  ['2026-11-20T07:31:00Z', '2026-11-21T07:29:00Z', false], // 2:31 a.m. and 2:29 a.m. the next day
  ['2026-11-20T07:31:00Z', '2026-11-21T07:30:00Z', true],
  ['2026-11-20T07:29:00Z', '2026-11-20T07:30:00Z', true],
  ['2026-11-20T12:00:00Z', '2026-11-20T23:00:00Z', false],
  ['2026-11-01T07:31:00Z', '2026-11-02T07:29:00Z', false], // the day on which the clocks go back
  ['2026-11-10T12:00:00Z', '2026-11-20T12:00:00Z', true],
])('a backup of %s is due again at %s: %s (2:30 a.m. in Toronto)', (last, now, due) =>
  expect(isDue(last === null ? null : new Date(last), new Date(now), '02:30', 'America/Toronto')).toBe(due),
)

it.each([
  ['2026-11-20 14:05', '2026-11-20T19:05:00.000Z'],
  ['2026-07-20T14:05:30', '2026-07-20T18:05:30.000Z'],
  ['2026-11-20 14:05Z', '2026-11-20T14:05:00.000Z'],
  ['2026-11-20 14:05 +02:00', '2026-11-20T12:05:00.000Z'],
  ['2026-02-30 14:05', null],
  ['2026-11-20', null],
  ['yesterday', null],
])('the moment %s in Toronto is %s', (text, moment) => expect(parseMoment(text, 'America/Toronto')?.toISOString() ?? null).toBe(moment))
