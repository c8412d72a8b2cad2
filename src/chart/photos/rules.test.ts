import { describe, expect, it } from 'vitest'
import { fileNameOf } from './rules.ts'

describe('the name of a photo’s file', () => {
  it.each([
    ['2026-11-20T15:00:00Z', 'image/jpeg', 'Left oblique 2026-11-20.jpg'],
    ['2026-11-21T02:00:00Z', 'image/heic', 'Left oblique 2026-11-20.heic'],
  ] as const)('has the day in the practice’s time zone: %s as %s is "%s"', (takenAt, mimeType, name) => {
    expect(fileNameOf({ view: 'left_oblique', takenAt: new Date(takenAt), mimeType }, 'America/Toronto')).toBe(name)
  })
})
