import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { consentFor, type DatedSeries, type PhotoConsent, purposeNames, publicPurposes, scopesFor, treatedDayOf } from './rules.ts'

const today = '2026-11-27'
const consent = (given: Partial<PhotoConsent> = {}): PhotoConsent => ({
  purpose: 'consult_room',
  givenOn: '2026-11-01',
  expiresOn: null,
  isWithdrawn: false,
  photoIds: null,
  ...given,
})
const photo = { id: 'one', treatedOn: '2026-10-01' }

describe('the consent for a use (issue 27)', () => {
  it.each([
    ['nothing', [], { gap: 'none' }],
    ['another purpose', [consent({ purpose: 'website' })], { gap: 'none' }],
    ['one that was withdrawn', [consent({ isWithdrawn: true })], { gap: 'withdrawn' }],
    ['one that ended yesterday', [consent({ expiresOn: '2026-11-26' })], { gap: 'expired' }],
    ['one for other photos', [consent({ photoIds: ['two'] })], { gap: 'other_photos' }],
    ['the gap that is nearest to a consent', [consent({ isWithdrawn: true }), consent({ photoIds: ['two'] })], { gap: 'other_photos' }],
    ['one that ends today', [consent({ expiresOn: today })], { expiresOn: today }],
    ['one beside a withdrawn one', [consent({ isWithdrawn: true }), consent()], { isWithdrawn: false }],
    ['one for this photo', [consent({ photoIds: ['two', 'one'] })], { photoIds: ['two', 'one'] }],
  ])('%s', (_, consents, expected) => {
    expect(consentFor(consents, photo, 'consult_room', today)).toMatchObject(expected)
  })

  it.each(publicPurposes)('%s: counts only if it was given after the treatment', (purpose) => {
    const given = [consent({ purpose })]
    expect(consentFor(given, photo, purpose, today)).toBe(given[0])
    expect(consentFor(given, { ...photo, treatedOn: '2026-11-02' }, purpose, today)).toEqual({ gap: 'before_treatment' })
    expect(consentFor(given, { ...photo, treatedOn: null }, purpose, today)).toEqual({ gap: 'before_treatment' })
  })

  it('is never one that is withdrawn, expired, for another purpose or for other photos', () => {
    const day = fc.integer({ min: 1, max: 28 }).map((number) => `2026-11-${String(number).padStart(2, '0')}`)
    const any = fc.record({
      purpose: fc.constantFrom(...purposeNames),
      givenOn: day,
      expiresOn: fc.option(day),
      isWithdrawn: fc.boolean(),
      photoIds: fc.option(fc.subarray(['one', 'two'], { minLength: 1 })),
    })
    const asked = fc.record({ id: fc.constantFrom('one', 'two'), treatedOn: fc.option(day) })
    fc.assert(
      fc.property(fc.array(any), asked, fc.constantFrom(...purposeNames), (consents, used, purpose) => {
        const found = consentFor(consents, used, purpose, today)
        const counts = consents.filter(
          (one) =>
            one.purpose === purpose &&
            !one.isWithdrawn &&
            (one.expiresOn ?? today) >= today &&
            (one.photoIds === null || one.photoIds.includes(used.id)) &&
            (!publicPurposes.includes(purpose) || (used.treatedOn !== null && used.treatedOn <= one.givenOn)),
        )
        expect('gap' in found ? [] : [found]).toEqual(counts.slice(0, 1))
      }),
    )
  })

  it.each([
    ['its own day after treatment', { timePoint: 'week_1' }, [], '2026-06-01'],
    ['none before the treatment', {}, [], null],
    ['the first day after it', {}, [{ takenOn: '2026-09-01' }, { takenOn: '2026-08-01' }], '2026-08-01'],
    ['no day of a series without photos', {}, [{ takenOn: '2026-08-01', hasPhotos: false }], null],
    ['no day of another part of the body', {}, [{ takenOn: '2026-08-01', shotList: 'face' }], null],
    ['no day from before the photo', {}, [{ takenOn: '2026-05-01' }], null],
  ] as [string, Partial<DatedSeries>, Partial<DatedSeries>[], string | null][])(
    'to public use counts from %s',
    (_, own, others, expected) => {
      const series: DatedSeries = { id: 'own', shotList: 'nose', timePoint: 'pre_op', takenOn: '2026-06-01', hasPhotos: true, ...own }
      const later = others.map((other, place) => ({ ...series, id: `${place}`, timePoint: 'month_3' as const, ...other }))
      expect(treatedDayOf(series, [series, ...later])).toBe(expected)
    },
  )

  it('comes from the uses that signed forms name', () => {
    expect(scopesFor).toMatchObject({ website: ['website', 'publication'], referral: ['chart'], consult_room: ['consult_room'] })
  })
})
