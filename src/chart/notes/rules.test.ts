import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText } from '../../shared/text.ts'
import { testSecret } from '../../../test/database.ts'
import { notesContract } from './contract.ts'
import { mayCosign, mayEdit, maySign } from './policy.ts'
import { noteValuesOf, countBlanks, startedSections } from './prefill-rules.ts'
import { type Answer, answerText, isAnswerTo, isEmptyNote, type NoteSection, noteLength, type SectionType } from './rules.ts'
import { sealNote, signedText } from './seal.ts'

const section = (type: SectionType, options: string[], answer: Answer): NoteSection => ({ id: 'one', title: 'One', type, options, answer })

describe('the answers of a note', () => {
  it.each<[string, NoteSection, string]>([
    ['text is trimmed', section('text', [], ' Well healed. \n'), 'Well healed.'],
    ['a choice is its option', section('choice', ['I', 'II'], 'II'), 'II'],
    ['choices come in the order of the options', section('choices', ['Fever', 'Pain'], ['Pain', 'Fever']), 'Fever, Pain'],
    ['values are a line each, without empty ones', section('values', ['BMI', 'Weight'], { Weight: '71', BMI: ' ' }), 'Weight: 71'],
    ['a value may be named like a property of objects', section('values', ['constructor'], {}), ''],
  ])('as text: %s', (_, given, text) => {
    expect(answerText(given)).toBe(text)
    expect(isEmptyNote([given])).toBe(text === '')
  })

  it.each<[boolean, NoteSection]>([
    [true, section('text', [], 'anything')],
    [false, section('text', [], ['a list'])],
    [true, section('choice', ['I'], '')],
    [false, section('choice', ['I'], 'V')],
    [true, section('choices', ['I', 'II'], ['II'])],
    [false, section('choices', ['I'], ['II'])],
    [false, section('choices', ['I'], 'I')],
    [true, section('values', ['BMI'], { BMI: '25' })],
    [false, section('values', ['BMI'], { Height: '168' })],
    [false, section('values', ['BMI'], ['25'])],
  ])('fit their section: %s', (isFitting, given) => {
    expect(isAnswerTo(given, given.answer)).toBe(isFitting)
  })

  it('count towards the length of the note', () => {
    expect(noteLength([section('text', [], 'ab'), section('choices', ['c'], ['c'])])).toBe(2 + '["c"]'.length)
  })
})

describe('text that is pasted or dictated', () => {
  const shape = notesContract.addAddendum['~orpc'].inputSchema!
  const textOf = async (text: string) => {
    const result = await shape['~standard'].validate({ id: '0197f0a0-0000-7000-8000-000000000001', text })
    return 'value' in result ? result.value.text : null
  }

  it('loses control characters and keeps every other character, line breaks and tabs', async () => {
    expect(await textOf('Pain 3/10\u0007\r\nÉloïse 痛み 👩🏽‍⚕️\tok')).toBe('Pain 3/10\nÉloïse 痛み 👩🏽‍⚕️\tok')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const kept = plainText(text)
        expect(kept).not.toMatch(/[^\P{Cc}\n\t]/u)
        expect(kept.isWellFormed()).toBe(true)
        expect(plainText(kept)).toBe(kept)
      }),
    )
  })

  it('has to contain something', async () => {
    for (const text of ['', ' \n', '\u0007\u0001']) expect([text, await textOf(text)]).toEqual([text, null])
  })
})

describe('who may do what with a note', () => {
  const provider = { id: 'p', role: 'provider' } as const
  const other = { id: 'o', role: 'provider' } as const
  const admin = { id: 'a', role: 'admin' } as const
  const note = { status: 'draft', authorId: 'p', needsCosign: false, signedBy: null, cosignedBy: null } as const
  const byAdmin = { ...note, authorId: 'a', needsCosign: true }
  const signed = { ...note, status: 'signed', signedBy: 'p' } as const

  it.each([
    ['their own draft', note, provider, 'edit sign'],
    ['a colleague’s draft', note, other, ''],
    ['a provider’s draft, as an administrator', note, admin, ''],
    ['an administrator’s draft, as its author', byAdmin, admin, 'edit'],
    ['an administrator’s draft, as a provider', byAdmin, provider, 'sign'],
    ['a note that they signed', signed, provider, ''],
    ['a note that a colleague signed', signed, other, 'cosign'],
    ['a signed note, as an administrator', signed, admin, ''],
    ['a co-signed note', { ...signed, cosignedBy: 'x' }, other, ''],
  ] as const)('%s', (_, given, actor, allowed) => {
    const may = { edit: mayEdit(actor, given), sign: maySign(actor, given), cosign: mayCosign(actor, given) }
    expect(
      Object.keys(may)
        .filter((action) => may[action as keyof typeof may])
        .join(' '),
    ).toBe(allowed)
  })
})

describe('the beginning of a note', () => {
  const contact = { firstName: 'Deepa', lastName: 'Thambirajah', dateOfBirth: '1988-03-14', surgicalDate: '2026-12-17' }
  const source = {
    contact,
    procedure: 'Septorhinoplasty',
    provider: 'Dr. Ngozi Okafor',
    health: { allergies: '', medications: '' },
    today: '2026-11-27',
  }

  it('fills in what is known of the patient, and leaves unknown variables as typed', () => {
    const template = {
      id: 'a',
      title: 'A',
      options: [],
      prefill: '{{patient_name}}, {{age}}, born {{date_of_birth}}: {{procedure}} on {{next_surgery}} by {{ provider }}. {{nick}}',
    }
    const [started] = startedSections([{ ...template, type: 'text' }], noteValuesOf(source))
    expect(started!.answer).toBe('Deepa Thambirajah, 38, born Mar 14, 1988: Septorhinoplasty on Dec 17, 2026 by Dr. Ngozi Okafor. {{nick}}')
    expect(startedSections([{ ...template, type: 'choices' }], noteValuesOf(source))[0]!.answer).toEqual([])
  })

  it('leaves a blank for what is not known, and nothing where a section would be a blank alone', () => {
    const values = noteValuesOf({ ...source, contact: { ...contact, dateOfBirth: null } })
    const answerTo = (prefill: string) => startedSections([{ id: 'a', title: 'A', type: 'text', options: [], prefill }], values)[0]!.answer
    expect(answerTo('Seen about {{procedure}}. Age: {{age}}.')).toBe('Seen about Septorhinoplasty. Age: ___.')
    expect(answerTo(' {{allergies}}\n{{medications}} ')).toBe('')
    expect(countBlanks([{ answer: answerTo('{{age}}, {{age}}: {{procedure}}') }, { answer: [] }])).toBe(2)
  })

  it('takes allergies and medications from the health summary, and no surgery that is past', () => {
    const values = noteValuesOf({ ...source, health: { allergies: 'Penicillin', medications: 'None' }, today: '2026-12-18' })
    expect(values).toMatchObject({ allergies: 'Penicillin', medications: 'None', next_surgery: '' })
  })
})

describe('the seal of a note', () => {
  const at = new Date('2026-11-20T19:30:00Z')
  const note = {
    id: 'n',
    patientAtSigning: 'c',
    templateId: 't',
    kind: 'consult' as const,
    title: 'Consultation',
    occurredOn: '2026-11-20',
    sections: [section('values', ['BMI', 'Weight'], { BMI: '25', Weight: '71' })],
    authorId: 'p',
    needsCosign: false,
    signedBy: 'p',
    signedAt: at,
    createdAt: at,
  }
  const sealOf = (given: typeof note) => sealNote({ APP_SECRET: testSecret }, given)

  it('does not depend on the order in which the database returns fields', () => {
    const reordered = { ...note, sections: note.sections.map(({ id, ...rest }) => ({ ...rest, id, answer: { Weight: '71', BMI: '25' } })) }
    expect(sealOf(reordered)).toBe(sealOf(note))
  })

  it('changes with any change', () => {
    const changes: Partial<typeof note>[] = [
      ...(['id', 'patientAtSigning', 'templateId', 'title', 'occurredOn', 'authorId', 'signedBy'] as const).map((key) => ({ [key]: 'x' })),
      { needsCosign: true },
      { signedAt: new Date(at.getTime() + 1) },
      { createdAt: new Date(at.getTime() + 1) },
      { sections: [section('values', ['BMI', 'Weight'], { BMI: '26', Weight: '71' })] },
      { sections: [] },
    ]
    const seals = [note, ...changes.map((change) => ({ ...note, ...change }))].map(sealOf)
    expect(new Set(seals).size).toBe(changes.length + 1)
  })

  it('changes when any character of a text does', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (text, place, character) => {
        const at = place % text.length
        const changed = text.slice(0, at) + character + text.slice(at + 1)
        const textOf = (answer: string) => signedText({ ...note, sections: [section('text', [], answer)] })
        expect(textOf(changed) === textOf(text)).toBe(changed === text)
      }),
    )
  })
})
