import { describe, expect, it } from 'vitest'
import { noticeLines } from './notice-rules.ts'

const startsAt = new Date('2026-12-01T15:00:00Z')
const notice = (until: string, lateFeeCents: number | null, language: 'en' | 'fr' = 'en') =>
  noticeLines({ startsAt, until: new Date(until), lateFeeCents }, new Date('2026-11-21T16:00:00Z'), language, 'America/Toronto').join(' ')

describe('the notice of an appointment', () => {
  it.each([
    [
      '2026-11-29T15:00:00Z',
      5_000,
      'You can move or cancel it at no charge until Nov 29, 2026, 10:00 a.m. If you cancel it later, there is a fee of $50.00.',
    ],
    ['2026-11-20T15:00:00Z', 5_000, 'It is soon, so it can no longer be moved online. If you cancel it, there is a fee of $50.00.'],
    ['2026-12-01T15:00:00Z', 5_000, 'You can move or cancel it at no charge until it begins.'],
    ['2026-11-29T15:00:00Z', 0, 'You can move it until Nov 29, 2026, 10:00 a.m., and cancel it at no charge until it begins.'],
    ['2026-11-20T15:00:00Z', 0, 'It is soon, so it can no longer be moved online, but you can cancel it at no charge until it begins.'],
    ['2026-11-29T15:00:00Z', null, 'You can move or cancel it online until Nov 29, 2026, 10:00 a.m.'],
    ['2026-11-20T15:00:00Z', null, 'It is soon, so it can no longer be moved or cancelled online. Please call us.'],
  ])('until %s, with a fee of %s, is "%s" (issue 29)', (until, fee, expected) => {
    expect(notice(until, fee)).toBe(expected)
  })

  it('is in French for a patient who prefers French (issue 29)', () => {
    expect(notice('2026-11-20T15:00:00Z', 5_000, 'fr')).toMatch(
      /^Il est proche\s: .* Si vous l’annulez, des frais de 50,00\s\$ s’appliquent\.$/,
    )
  })
})
