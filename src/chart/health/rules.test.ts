import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { roles } from '../../kernel/access/rules.ts'
import { mayReviewSection, mayWriteEntry, seesEntry, seesSection } from './policy.ts'
import {
  allergyState,
  formatAllergies,
  formatMedications,
  bodyMassIndex,
  entryKinds,
  type EntryKind,
  type EntryStatus,
  hasField,
  latestValues,
  type Measured,
  medicationsToReview,
  misplacedFields,
  reviewDays,
  reviewedForCase,
  type Section,
  sectionKinds,
  sections,
  hasWeightLoss,
  heldNegatives,
} from './rules.ts'

const day = 24 * 3600_000

describe('access', () => {
  it('shows and takes allergies and alerts from the front desk, everything from providers and administrators, nothing else', () => {
    const expected: Record<string, EntryKind[]> = {
      admin: [...entryKinds],
      provider: [...entryKinds],
      front_desk: ['allergy', 'alert'],
      sales_rep: [],
      billing: [],
    }
    for (const role of roles) {
      expect([role, entryKinds.filter((kind) => seesEntry({ role }, { kind }))]).toEqual([role, expected[role]])
      expect([role, entryKinds.filter((kind) => mayWriteEntry({ role }, kind))]).toEqual([role, expected[role]])
    }
    expect(sections.filter((section) => seesSection({ role: 'front_desk' }, section))).toEqual(['allergies'])
    expect(sections.filter((section) => mayReviewSection({ role: 'front_desk' }, section))).toEqual(['allergies'])
    expect(mayWriteEntry(null, 'allergy')).toBe(false)
  })

  it('gives each kind except alerts a section', () => {
    const kinds = sections.flatMap((section) => sectionKinds[section])
    expect(kinds.toSorted()).toEqual(entryKinds.filter((kind) => kind !== 'alert').toSorted())
  })
})

describe('entries', () => {
  it('names fields that a kind does not have, unless they are empty', () => {
    expect(misplacedFields('allergy', { severity: 'severe', dose: '5 mg', stopDays: 3, isWeightLoss: true })).toEqual([
      'dose',
      'isWeightLoss',
      'stopDays',
    ])
    expect(misplacedFields('condition', { severity: null, dose: null, isWeightLoss: false, year: undefined })).toEqual([])
    expect(misplacedFields('surgery', { year: 2016, anaesthesia: 'spinal' })).toEqual([])
    for (const kind of entryKinds) expect(hasField(kind, 'dose')).toBe(kind === 'medication')
  })
})

describe('allergyState', () => {
  const allergy = (status: EntryStatus) => ({ kind: 'allergy' as const, status })
  it.each([
    ['listed', [allergy('active')], null],
    ['listed', [allergy('active')], { activeEntries: 0 }],
    ['none_known', [], { activeEntries: 0 }],
    ['none_known', [allergy('past'), { kind: 'alert', status: 'active' }], { activeEntries: 0 }],
    ['not_asked', [], null],
    // The last one was removed since, and no one asked again.
    ['not_asked', [allergy('entered_in_error')], { activeEntries: 1 }],
  ] as const)('is %s for %j and the review %j', (state, entries, review) => {
    expect(allergyState(entries, review)).toBe(state)
  })
})

describe('heldNegatives', () => {
  const held = (entry: { name: string; kind?: EntryKind; status: EntryStatus; createdAt: string }) =>
    heldNegatives([{ topic: 'conditions', reviewedAt: new Date('2026-11-20') }], [{ kind: 'condition', ...entry }]).length
  it.each([
    ['nothing about it applies', { name: 'Alcohol: 3 a week', status: 'active', createdAt: '2026-11-21' }, 1],
    ['an earlier one has ended', { name: 'Asthma', status: 'past', createdAt: '2026-11-19' }, 1],
    ['a later one was entered in error', { name: 'Asthma', status: 'entered_in_error', createdAt: '2026-11-21' }, 1],
    ['one applies', { name: 'Asthma', status: 'active', createdAt: '2026-11-19' }, 0],
    ['a later one has ended', { name: 'Asthma', status: 'past', createdAt: '2026-11-21' }, 0],
    ['another kind applies', { name: 'Asthma', kind: 'allergy', status: 'active', createdAt: '2026-11-21' }, 1],
  ] as const)('of conditions, if %s', (_name, entry, expected) => expect(held(entry)).toBe(expected))
})

describe('reviewedForCase', () => {
  const createdAt = new Date('2026-06-01T12:00:00Z')
  const startsAt = new Date('2026-09-01T12:00:00Z')
  const at = (section: Section, days: number) => ({ section, reviewedAt: new Date(createdAt.getTime() + days * day) })
  const reviewed = (...reviews: ReturnType<typeof at>[]) => reviewedForCase(reviews, sections, { createdAt, startsAt })

  it('needs each section once, from 90 days before the case was created until it begins', () => {
    expect(reviewed(at('allergies', -90), at('medications', 0), at('history', 92))).toEqual(startsAt)
    expect(reviewed(at('allergies', -90.001), at('medications', 0), at('history', 1))).toBeNull()
    expect(reviewed(at('allergies', 0), at('medications', 0), at('history', 92.001))).toBeNull()
    expect(reviewed(at('allergies', 0), at('medications', 0))).toBeNull()
    expect(reviewed()).toBeNull()
  })

  it('is the newest of the last reviews, never outside the window, and stays when more reviews are added', () => {
    const review = fc.record({ section: fc.constantFrom(...sections), days: fc.double({ min: -200, max: 200, noNaN: true }) })
    fc.assert(
      fc.property(fc.array(review, { maxLength: 12 }), fc.array(review, { maxLength: 6 }), (some, more) => {
        const toReviews = (from: typeof some) => from.map(({ section, days }) => at(section, days))
        const before = reviewed(...toReviews(some))
        const after = reviewed(...toReviews(some), ...toReviews(more))
        if (before === null) return
        expect(before.getTime()).toBeGreaterThanOrEqual(createdAt.getTime() - reviewDays * day)
        expect(before.getTime()).toBeLessThanOrEqual(startsAt.getTime())
        expect(after!.getTime()).toBeGreaterThanOrEqual(before.getTime())
      }),
    )
  })
})

describe('medications', () => {
  const medication = (name: string, given: object = {}) => ({
    kind: 'medication' as const,
    status: 'active' as const,
    name,
    dose: null,
    isWeightLoss: false,
    stopDays: null,
    ...given,
  })

  it('names what to stop or review before surgery', () => {
    const entries = [
      medication('Semaglutide', { dose: '0.5 mg weekly', isWeightLoss: true }),
      medication('Orlistat', { isWeightLoss: true }),
      medication('Liraglutide', { isWeightLoss: true, status: 'past' }),
      medication('Ibuprofen', { stopDays: 7 }),
    ]
    expect(hasWeightLoss(entries)).toBe(true)
    expect(hasWeightLoss(entries.slice(2))).toBe(false)
    expect(medicationsToReview([...entries, medication('ASA', { stopDays: 1 })])).toBe(
      'Semaglutide, Orlistat, Ibuprofen (stop 7 days before surgery), ASA (stop 1 day before surgery)',
    )
    expect(medicationsToReview([medication('Escitalopram')])).toBeNull()
  })
})

describe('measurements', () => {
  const heights = fc.integer({ min: 30, max: 272 })
  const tenths = fc.integer({ min: 10, max: 6_500 })

  it('computes the body mass index to one decimal', () => {
    expect(bodyMassIndex({ heightCm: 168, weightKg: 71.2 })).toBe(25.2)
    expect(bodyMassIndex({ heightCm: 200, weightKg: 100 })).toBe(25)
    // 24.25 exactly: a half is rounded up.
    expect(bodyMassIndex({ heightCm: 200, weightKg: 97 })).toBe(24.3)
    expect(bodyMassIndex({ heightCm: null, weightKg: 71.2 })).toBeNull()
    expect(bodyMassIndex({ heightCm: 168, weightKg: null })).toBeNull()
  })

  it('is within half a tenth of kg/m², has one decimal, and rises with the weight', () => {
    fc.assert(
      fc.property(heights, tenths, (heightCm, weight) => {
        const bmi = bodyMassIndex({ heightCm, weightKg: weight / 10 })!
        expect(Math.abs(bmi - weight / 10 / (heightCm / 100) ** 2)).toBeLessThanOrEqual(0.05 + 1e-9)
        expect(Math.round(bmi * 10) / 10).toBe(bmi)
        expect(bodyMassIndex({ heightCm, weightKg: (weight + 1) / 10 })!).toBeGreaterThanOrEqual(bmi)
      }),
    )
  })

  it('shows the newest value of each', () => {
    const none: Measured = { heightCm: null, weightKg: null, systolic: null, diastolic: null, bloodType: null, asaClass: null }
    expect(latestValues([])).toEqual(none)
    expect(
      latestValues([
        { ...none, weightKg: 70 },
        { ...none, weightKg: 72.5, heightCm: 168, bloodType: 'O+' },
      ]),
    ).toEqual({ ...none, weightKg: 70, heightCm: 168, bloodType: 'O+' })
  })
})

describe('the text of allergies and medications for a note', () => {
  const allergy = (name: string, detail: string | null, severity: 'mild' | 'severe' | null, status: 'active' | 'past' = 'active') => ({
    kind: 'allergy' as const,
    name,
    detail,
    severity,
    status,
  })
  const medication = (name: string, dose: string | null, status: 'active' | 'past' = 'active') => ({
    kind: 'medication' as const,
    name,
    dose,
    status,
    isWeightLoss: false,
  })

  it.each([
    [[allergy('Latex', null, 'mild'), allergy('Penicillin', 'anaphylaxis', 'severe')], null, 'Penicillin (anaphylaxis), Latex'],
    [[allergy('Latex', null, 'mild', 'past')], { activeEntries: 0 }, 'No known allergies'],
    [[allergy('Latex', null, 'mild', 'past')], { activeEntries: 1 }, ''],
    [[], null, ''],
  ])('lists %j, reviewed as %j, as "%s"', (entries, review, text) => expect(formatAllergies(entries, review)).toBe(text))

  it.each([
    [[medication('Semaglutide', '0.5 mg weekly'), medication('Escitalopram', null)], null, 'Semaglutide 0.5 mg weekly, Escitalopram'],
    [[medication('Ibuprofen', 'As needed'), medication('Iron', 'IV weekly')], null, 'Ibuprofen as needed, Iron IV weekly'],
    [[medication('Ibuprofen', null, 'past')], { activeEntries: 0 }, 'None'],
    [[], null, ''],
  ])('lists %j, reviewed as %j, as "%s"', (entries, review, text) => expect(formatMedications(entries, review)).toBe(text))
})
