import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf } from '../../shared/zoned-time.ts'
import { fileKey, isJunk, namedFiles } from './file-rules.ts'
import { personReader, readDue } from './rows/record-rows.ts'
import { readCallOutcome, readDocumentType, readInteractionType, readTaskPriority, readTaskStatus, readTaskType } from './record-rules.ts'
import { guessFields, templateHeaders } from './rules.ts'
import { type Candidate, choosePatient, type Found, type Whose } from './whose-rules.ts'

const zone = 'America/Toronto'

describe('issue 9: whose a row is', () => {
  const patients: Candidate[] = ['Ana Silva', 'Ana Silva', 'Ben Silva', 'Cy Lee'].map((name, i) => {
    const [firstName = '', lastName = ''] = name.split(' ')
    return { id: String(i), firstName, lastName }
  })
  const some = fc.subarray(patients)
  const rows = fc.record({
    id: fc.option(some, { freq: 2 }),
    email: fc.option(some, { freq: 2 }),
    phone: fc.option(some, { freq: 2 }),
    name: fc.option(fc.constantFrom('Ana Silva', 'silva, ANA', 'Ben Silva', 'No one'), { freq: 2 }),
  })
  const given = ({ id, email, phone, name }: Found & Pick<Whose, 'name'>): Whose => ({
    id: id && 'id',
    email: email && 'email',
    phone: phone && 'phone',
    name,
  })

  it('a patient is chosen only who has everything that is known of the row, and no one else does who fits as well', () => {
    fc.assert(
      fc.property(rows, ({ name, ...found }) => {
        const choice = choosePatient(given({ ...found, name }), found)
        if (!choice || 'wrong' in choice) return
        const known = [found.id, found.email, found.phone].filter((some) => some !== null && some.length > 0)
        const fitting = patients.filter(({ id }) => known.every((some) => some?.some((one) => one.id === id)))
        expect(fitting.map(({ id }) => id)).toContain(choice.contactId)
        if (name === null || name === 'No one') expect(fitting).toHaveLength(1)
        if (found.id !== null) expect(found.id.map(({ id }) => id)).toContain(choice.contactId)
      }),
    )
  })

  it('a row that names no one is no one’s; one that names someone is someone’s or wrong, and says by which cell', () => {
    fc.assert(
      fc.property(rows, ({ name, ...found }) => {
        const whose = given({ ...found, name })
        const choice = choosePatient(whose, found)
        expect(choice === null).toBe(Object.values(whose).every((value) => value === null))
        if (choice && 'wrong' in choice) expect(whose[choice.by]).not.toBeNull()
      }),
    )
  })

  it('anyone who has only the phone number in common may be a relative, and an e-mail outlives a wedding', () => {
    const [ana, , ben] = patients as [Candidate, Candidate, Candidate]
    const row = (found: Partial<Found>, name: string) => {
      const all = { id: null, email: null, phone: null, ...found }
      return choosePatient(given({ ...all, name }), all)
    }
    expect(row({ phone: [ben] }, 'Ana Silva')).toEqual({ wrong: 'The patient with this phone number has another name', by: 'name' })
    expect(row({ phone: [ana, ben] }, 'Silva, Ana')).toEqual({ contactId: ana.id })
    expect(row({ email: [ana] }, 'Ana Novak')).toEqual({ contactId: ana.id })
  })
})

describe('issue 9: which file a row means', () => {
  const part = fc
    .string({ unit: fc.constantFrom('a', 'B', 'é', ' ', '1', '.', '-'), minLength: 1, maxLength: 6 })
    .filter((text) => /[a-z1é]/i.test(text))
  const paths = fc.array(part, { minLength: 1, maxLength: 4 })

  it('every file is found by its whole path, whatever the case, the slashes and how accents are written; and by the end of it where only it ends so', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(paths, { minLength: 1, maxLength: 8, selector: (parts) => fileKey(parts.join('/')).key }),
        fc.nat(),
        (all, n) => {
          const keys = all.map((parts) => fileKey(parts.join('/')).key)
          const mine = all[n % all.length]!
          const { key } = fileKey(mine.join('/'))
          expect(namedFiles(mine.join('\\').toUpperCase().normalize('NFD'), keys)).toEqual([key])
          for (let from = 1; from < mine.length; from++) {
            const found = namedFiles(mine.slice(from).join('/'), keys)
            const end = fileKey(mine.slice(from).join('/')).key
            expect(found).toEqual(keys.includes(end) ? [end] : keys.filter((one) => one.endsWith(`/${end}`)))
            if (!keys.includes(end)) expect(found).toContain(key)
          }
        },
      ),
    )
  })

  it('a name is not the end of a longer one', () => expect(namedFiles('scan.pdf', ['a/myscan.pdf', 'b/scan.pdf'])).toEqual(['b/scan.pdf']))

  it.each([
    ['__MACOSX/a/._b.pdf', true],
    ['papers/.DS_Store', true],
    ['papers/Thumbs.db', true],
    ['papers/', true],
    ['papers/a.b.pdf', false],
    ['./papers/a.pdf', false],
  ])('%s is junk: %s', (path, junk) => expect(isJunk(path)).toBe(junk))
})

describe('issue 9: values of tasks, interactions and documents', () => {
  it.each([
    ['2026-11-20', '2026-11-20', null],
    ['2026-11-20 14:30', '2026-11-20', '14:30'],
    ['Nov 20, 2026 2:30 PM', '2026-11-20', '14:30'],
    ['2026-11-20T19:30:00Z', '2026-11-20', '14:30'],
    ['2026-11-20T00:00:00Z', '2026-11-20', null],
    ['2026-11-20 00:00', '2026-11-20', null],
    ['11/20/2026 0:00', '2026-11-20', null],
    ['soon', undefined, null],
    ['2026-11-20 25:00', undefined, null],
  ])('what is due %j is due on %j at %j', (text, day, time) => {
    expect(readDue(text, 'mdy', zone)).toEqual(day === undefined ? undefined : { day, time })
  })

  it('a moment that is written on the practice’s clock is read as it was', () => {
    const days = fc
      .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 23 }), fc.integer({ min: 0, max: 59 }), (day, hour, minute) => {
        const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
        const read = readDue(`${day} ${time}`, 'mdy', zone)
        // A time that the clocks skip in spring is an hour later.
        expect(read && instantOf({ day: read.day, time: read.time! }, zone)).toEqual(instantOf({ day, time }, zone))
      }),
    )
  })

  it.each([
    [readTaskType, 'follow up', 'Follow-up'],
    [readTaskStatus, 'IN PROGRESS', 'in_progress'],
    [readTaskStatus, 'Canceled', 'cancelled'],
    [readTaskPriority, 'Normal', 'medium'],
    [readInteractionType, 'Phone Call', 'call'],
    [readCallOutcome, 'Left voicemail', 'voicemail'],
    [readDocumentType, 'Lab results', 'lab_result'],
    [readDocumentType, 'patient_upload', undefined],
    [readTaskType, '', undefined],
    [readTaskType, 'constructor', undefined],
  ])('%o reads %j as %j', (read, text, value) => expect(read(text)).toBe(value))

  it('people are known by e-mail in any case, and by a name that only one of them has', () => {
    const person = personReader([
      { id: '1', email: 'Ana@clinic.example', name: 'Ana Silva' },
      { id: '2', email: 'ana2@clinic.example', name: 'Ana Silva' },
      { id: '3', email: 'ben@clinic.example', name: 'Ben Ode' },
    ])
    expect(['ana@CLINIC.example', 'ben ode', 'Ana Silva', 'nobody'].map(person)).toEqual(['1', '3', undefined, undefined])
  })

  it('every template is recognised as it is, each field once; other programs’ headers are known', () => {
    for (const kind of ['patients', 'tasks', 'interactions', 'documents'] as const) {
      const guessed = guessFields(kind, templateHeaders(kind))
      expect(guessed).not.toContain(null)
      expect(new Set(guessed).size).toBe(guessed.length)
    }
    expect(guessFields('tasks', ['Subject', 'Due Date Only', 'Assigned To', 'Contact', 'Full Comments', 'Id'])).toEqual([
      'title',
      'dueDate',
      'assignees',
      'patientName',
      'description',
      null,
    ])
    expect(guessFields('interactions', ['Activity type', 'Activity date', 'Body', 'Owner', 'Associated Contact Email'])).toEqual([
      'type',
      'date',
      'text',
      'author',
      'patientEmail',
    ])
  })
})
