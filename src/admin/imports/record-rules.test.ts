import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf } from '../../shared/zoned-time.ts'
import { fileKey, isJunk, findFileKeys } from './file-rules.ts'
import { createPersonReader, readDue } from './rows/record-rows.ts'
import { readCallOutcome, readDocumentType, readInteractionType, readTaskPriority, readTaskStatus, readTaskType } from './record-rules.ts'
import { guessFields, templateHeaders } from './rules.ts'
import { type Candidate, choosePatient, type Found, type PatientRef } from './patient-match-rules.ts'

const zone = 'America/Toronto'

describe('the patient of a row', () => {
  const patients: Candidate[] = ['Ana Silva', 'Ana Silva', 'Ben Silva', 'Cy Lee'].map((name, i) => {
    const [firstName = '', lastName = ''] = name.split(' ')
    return { id: String(i), firstName, lastName }
  })
  const anyPatients = fc.subarray(patients)
  const rows = fc.record({
    id: fc.option(anyPatients, { freq: 2 }),
    email: fc.option(anyPatients, { freq: 2 }),
    phone: fc.option(anyPatients, { freq: 2 }),
    name: fc.option(fc.constantFrom('Ana Silva', 'silva, ANA', 'Ben Silva', 'No one'), { freq: 2 }),
  })
  const toRef = ({ id, email, phone, name }: Found & Pick<PatientRef, 'name'>): PatientRef => ({
    id: id && 'id',
    email: email && 'email',
    phone: phone && 'phone',
    name,
  })

  it('chooses only a patient who matches everything known about the row, and only if no one else fits as well', () => {
    fc.assert(
      fc.property(rows, ({ name, ...found }) => {
        const choice = choosePatient(toRef({ ...found, name }), found)
        if (!choice || 'problem' in choice) return
        const known = [found.id, found.email, found.phone].filter((candidates) => candidates !== null && candidates.length > 0)
        const fitting = patients.filter(({ id }) => known.every((candidates) => candidates?.some((candidate) => candidate.id === id)))
        expect(fitting.map(({ id }) => id)).toContain(choice.contactId)
        if (name === null || name === 'No one') expect(fitting).toHaveLength(1)
        if (found.id !== null) expect(found.id.map(({ id }) => id)).toContain(choice.contactId)
      }),
    )
  })

  it('returns null for a row without a patient, and otherwise a patient or a problem with its cell', () => {
    fc.assert(
      fc.property(rows, ({ name, ...found }) => {
        const ref = toRef({ ...found, name })
        const choice = choosePatient(ref, found)
        expect(choice === null).toBe(Object.values(ref).every((value) => value === null))
        if (choice && 'problem' in choice) expect(ref[choice.by]).not.toBeNull()
      }),
    )
  })

  it('does not match a different name by phone number alone, but does by email', () => {
    const [ana, , ben] = patients as [Candidate, Candidate, Candidate]
    const row = (found: Partial<Found>, name: string) => {
      const all = { id: null, email: null, phone: null, ...found }
      return choosePatient(toRef({ ...all, name }), all)
    }
    expect(row({ phone: [ben] }, 'Ana Silva')).toEqual({ problem: 'The patient with this phone number has another name', by: 'name' })
    expect(row({ phone: [ana, ben] }, 'Silva, Ana')).toEqual({ contactId: ana.id })
    expect(row({ email: [ana] }, 'Ana Novak')).toEqual({ contactId: ana.id })
  })
})

describe('the file of a row', () => {
  const part = fc
    .string({ unit: fc.constantFrom('a', 'B', 'é', ' ', '1', '.', '-'), minLength: 1, maxLength: 6 })
    .filter((text) => /[a-z1é]/i.test(text))
  const paths = fc.array(part, { minLength: 1, maxLength: 4 })

  it('finds a file by its full path regardless of case, slashes and accent encoding, and by the end of its path if unique', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(paths, { minLength: 1, maxLength: 8, selector: (parts) => fileKey(parts.join('/')).key }),
        fc.nat(),
        (all, n) => {
          const keys = all.map((parts) => fileKey(parts.join('/')).key)
          const mine = all[n % all.length]!
          const { key } = fileKey(mine.join('/'))
          expect(findFileKeys(mine.join('\\').toUpperCase().normalize('NFD'), keys)).toEqual([key])
          for (let from = 1; from < mine.length; from++) {
            const found = findFileKeys(mine.slice(from).join('/'), keys)
            const end = fileKey(mine.slice(from).join('/')).key
            expect(found).toEqual(keys.includes(end) ? [end] : keys.filter((candidate) => candidate.endsWith(`/${end}`)))
            if (!keys.includes(end)) expect(found).toContain(key)
          }
        },
      ),
    )
  })

  it('does not match the end of a longer file name', () =>
    expect(findFileKeys('scan.pdf', ['a/myscan.pdf', 'b/scan.pdf'])).toEqual(['b/scan.pdf']))

  it.each([
    ['__MACOSX/a/._b.pdf', true],
    ['papers/.DS_Store', true],
    ['papers/Thumbs.db', true],
    ['papers/', true],
    ['papers/a.b.pdf', false],
    ['./papers/a.pdf', false],
  ])('detects whether %s is junk: %s', (path, junk) => expect(isJunk(path)).toBe(junk))
})

describe('values of tasks, interactions and documents', () => {
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
  ])('reads the due date %j as %j at %j', (text, day, time) => {
    expect(readDue(text, 'mdy', zone)).toEqual(day === undefined ? undefined : { day, time })
  })

  it('reads back a time in the practice’s time zone', () => {
    const days = fc
      .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 23 }), fc.integer({ min: 0, max: 59 }), (day, hour, minute) => {
        const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
        const read = readDue(`${day} ${time}`, 'mdy', zone)
        // A time skipped in spring is read as an hour later.
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
  ])('reads with %o the word %j as %j', (read, text, value) => expect(read(text)).toBe(value))

  it('finds people by email in any letter case, and by a unique name', () => {
    const person = createPersonReader([
      { id: '1', email: 'Ana@clinic.example', name: 'Ana Silva' },
      { id: '2', email: 'ana2@clinic.example', name: 'Ana Silva' },
      { id: '3', email: 'ben@clinic.example', name: 'Ben Ode' },
    ])
    expect(['ana@CLINIC.example', 'ben ode', 'Ana Silva', 'nobody'].map(person)).toEqual(['1', '3', undefined, undefined])
  })

  it('recognizes every template header exactly once, and headers of other software', () => {
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
