import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { parseCameraTime, takenAtOf } from './taken-at.ts'

const zone = 'America/Toronto'
const drawn = sharp({ create: { width: 8, height: 8, channels: 3, background: '#777' } })

describe('when a photo of a camera was taken', () => {
  it.each([
    ['2026:01:15 10:04:05', '', '2026-01-15T15:04:05.000Z'],
    ['2026:07:15 10:04:05', '', '2026-07-15T14:04:05.000Z'],
    ['2026:01:15 10:04:05', '+09:00', '2026-01-15T01:04:05.000Z'],
    ['2026:01:15 10:04:05', 'somewhere', '2026-01-15T15:04:05.000Z'],
    ['1980:01:01 00:00:00', '', null],
    ['2026:02:30 10:00:00', '', null],
    ['2026:01:15 29:04:05', '', null],
    ['0000:00:00 00:00:00', '', null],
    ['', '', null],
  ])('is read from "%s" with "%s": %s (issue 27)', (time, offset, at) => {
    expect(parseCameraTime(time, offset, zone)?.toISOString() ?? null).toBe(at)
  })

  it('is a time or null, whatever a file says (issue 27)', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (time, offset) => {
        const at = parseCameraTime(time, offset, zone)
        return at === null || !Number.isNaN(at.getTime())
      }),
    )
  })

  it.each(['jpeg', 'png'] as const)('comes from the metadata of a %s, and without them from the file (issue 27)', async (format) => {
    const lastModified = new Date('2026-03-01T09:00:00Z').getTime()
    const fileOf = (bytes: Buffer) => new File([new Uint8Array(bytes)], `a.${format}`, { lastModified })
    const dated = await drawn
      .clone()
      .withExif({ IFD2: { DateTimeOriginal: '2026:01:15 10:04:05' } })
      .toFormat(format)
      .toBuffer()
    expect((await takenAtOf(fileOf(dated), zone)).toISOString()).toBe('2026-01-15T15:04:05.000Z')
    expect((await takenAtOf(fileOf(await drawn.clone().toFormat(format).toBuffer()), zone)).getTime()).toBe(lastModified)
    expect((await takenAtOf(fileOf(Buffer.from('no photo')), zone)).getTime()).toBe(lastModified)
  })

  it('is never in the future (issue 27)', async () => {
    const before = Date.now()
    const file = new File(['no photo'], 'a.jpg', { lastModified: before + 3_600_000_000 })
    expect((await takenAtOf(file, zone)).getTime()).toBeLessThanOrEqual(Date.now())
  })
})
