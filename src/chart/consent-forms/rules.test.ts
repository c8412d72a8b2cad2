import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeSigning, definitionOf } from '../../../test/chart/consent-forms.ts'
import { exampleValues, initialsOf, isNameOf, keptSigning, missingFields, renderText, signerNames, signingProblems } from './rules.ts'
import { isInForce, isOutOfDate, shownStatus, type SignedState } from './status-rules.ts'
import { withdrawalOf } from './withdrawal-rules.ts'

const text = renderText(definitionOf({ needsWitness: true, needsInterpreter: true }), exampleValues, 'en', null)
const names = signerNames({ firstName: 'Deepa', lastName: 'Thambirajah', preferredName: null }, null)
const complete = { ...completeSigning(text), witness: 'Yasmin Torres', interpreter: 'Li Wei' }

describe('the text of a consent form', () => {
  it('fills in the fields in the language that is read', () => {
    const intro = { en: '{{patient_name}}, {{ birth_date }}', fr: '{{patient_name}}, {{birth_date}}' }
    const definition = definitionOf({ intro })
    expect(renderText(definition, exampleValues, 'en', null).intro).toBe('Deepa Thambirajah, March 14, 1988')
    expect(renderText(definition, exampleValues, 'fr', null)).toMatchObject({
      intro: 'Deepa Thambirajah, 14 mars 1988',
      statement: 'J’ai lu ce consentement, je le comprends et je le signe librement.',
    })
    expect(missingFields(definition, { ...exampleValues, birthDate: null, provider: null })).toEqual(['birth_date'])
  })

  it('does not fill in a field within a value', () => {
    const values = { ...exampleValues, patientName: '{{provider}}' }
    expect(renderText(definitionOf(), values, 'en', null).intro).toBe('I, {{provider}}, consent to Septorhinoplasty.')
  })

  it.each([
    ['Deepa Thambirajah', 'D.T.'],
    ['  anne-marie  o’Neil ', 'A.M.O.'],
    ['Éloïse', 'É.'],
    ['', ''],
  ])('makes the initials of %s', (name, initials) => expect(initialsOf(name)).toBe(initials))
})

describe('what keeps a consent form from being signed', () => {
  it('is nothing once everything is there', () => expect(signingProblems(text, complete, names)).toEqual([]))

  it.each([
    ['a clause that was not shown', { shown: ['what'] }, { field: 'shown', clause: 'risks' }],
    ['missing initials', { initials: {} }, { field: 'initials', clause: 'risks' }],
    ['blank initials', { initials: { risks: '​ ' } }, { field: 'initials', clause: 'risks' }],
    ['initials of the prototype', { initials: Object.create({ risks: 'A.T.' }) as object }, { field: 'initials', clause: 'risks' }],
    ['a missing witness', { witness: null }, { field: 'witness', clause: null }],
    ['a missing interpreter', { interpreter: ' ' }, { field: 'interpreter', clause: null }],
    ['a statement that was not ticked', { agrees: 'yes' }, { field: 'agrees', clause: null }],
    ['an empty drawing', { signature: { kind: 'drawn', strokes: [] } }, { field: 'signature', clause: null }],
    ['another name that was typed', { signature: { kind: 'typed', name: 'Deepa Lavoie' } }, { field: 'name', clause: null }],
    ['a use that was not asked for', { scopes: ['chart'] }, { field: 'scopes', clause: null }],
  ])('is %s', (_name, given, problem) => expect(signingProblems(text, { ...complete, ...given }, names)).toEqual([problem]))

  it('is found in any value, and never throws', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(complete)), fc.anything({ maxDepth: 3 })), (given) => {
        const problems = signingProblems(text, given, names)
        expect(problems.length > 0 || Object.keys(given).length === Object.keys(complete).length).toBe(true)
      }),
    )
  })

  it('leaves nothing in what is kept that was not asked for', () => {
    const given = { ...complete, shown: ['risks', 'what', 'x'], initials: { risks: ' A.T. ', what: 'A.T.', x: 'A.T.' } }
    expect(keptSigning(text, given)).toEqual({ ...complete, shown: ['what', 'risks'], initials: { risks: 'A.T.' } })
    expect(keptSigning({ ...text, needsWitness: false }, complete).witness).toBeNull()
  })
})

describe('a typed name', () => {
  const person = { firstName: 'Éloïse-Marie', lastName: 'D’Ångström', preferredName: 'Lou' }
  it.each([
    ['Éloïse-Marie D’Ångström', true],
    ['  eloise marie  DANGSTROM ', true],
    ["Eloise Marie Anne d'Angstrom", true],
    ['D’Ångström, Éloïse-Marie', true],
    ['Lou D’Ångström', true],
    ['Éloïse D’Ångström', false],
    ['Éloïse-Marie', false],
    ['D’Ångström', false],
    ['Anne Éloïse-Marie D’Ångström', false],
    ['x', false],
    ['😀', false],
    ['', false],
  ])('%j is the patient’s: %s', (typed, isOwn) => expect(isNameOf(typed, signerNames(person, null))).toBe(isOwn))

  it.each([
    ['大文 陳', '陳大文'],
    ['Łukasz Żółć', 'lukasz zolc'],
    ['İnci Işık', 'inci isik'],
    ['Weiß', 'WEISS'],
    ['अनु पटेल', 'अनु  पटेल'],
  ])('%s may be typed %s', (name, typed) => expect(isNameOf(typed, [name])).toBe(true))

  it('is the substitute’s where someone signs for the patient', () => {
    const forPatient = signerNames(person, { name: 'Ana Roy', relation: 'Mother' })
    expect([isNameOf('ana roy', forPatient), isNameOf('Éloïse-Marie D’Ångström', forPatient)]).toEqual([true, false])
  })

  it('matches itself however it is cased, spaced and accented, and no other name', () => {
    const word = fc.stringMatching(/^[a-zéèçñüå]{2,9}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 4 }), word, fc.constantFrom(' ', '  ', '-', ', '), (words, other, space) => {
        const name = words.join(' ')
        for (const typed of [name.toUpperCase(), words.join(space), name.normalize('NFD').replace(/\p{M}/gu, '')])
          expect(isNameOf(typed, [name])).toBe(true)
        expect(isNameOf(words.slice(1).join(' '), [name])).toBe(false)
        expect(isNameOf(`${name} ${other}xq`, [name])).toBe(false)
      }),
    )
  })

  it('is any where the record has no letters to compare with', () => {
    expect(isNameOf('?', ['—'])).toBe(true)
    expect(isNameOf('Ana', ['—'])).toBe(false)
  })
})

describe('the status', () => {
  const signed: SignedState = {
    status: 'signed',
    versionNumber: 2,
    resignNumber: 0,
    needsCountersignature: false,
    countersignedAt: null,
    procedureIds: ['nose'],
  }
  it.each([
    ['is in force once signed', {}, ['nose'], 'signed', true],
    ['waits for a countersignature', { needsCountersignature: true }, ['nose'], 'signed', false],
    ['is in force once countersigned', { needsCountersignature: true, countersignedAt: new Date() }, ['nose'], 'countersigned', true],
    ['ends with a later version that has to be signed', { resignNumber: 3 }, ['nose'], 'out_of_date', false],
    ['outlasts a later version that need not be signed', { resignNumber: 2 }, ['nose'], 'signed', true],
    ['ends with a procedure that it does not name', {}, ['nose', 'chin'], 'out_of_date', false],
    ['outlasts a procedure that is dropped', { procedureIds: ['nose', 'chin'] }, ['nose'], 'signed', true],
    ['ends with the withdrawal', { status: 'withdrawn' }, ['nose'], 'withdrawn', false],
    ['does not begin before the signature', { status: 'sent' }, ['nose'], 'sent', false],
  ] as const)('%s', (_name, given, needed, shown, inForce) => {
    const state: SignedState = { ...signed, ...given }
    expect([shownStatus(state, needed), isInForce(state, needed)]).toEqual([shown, inForce])
    expect(isOutOfDate(state, needed)).toBe(shown === 'out_of_date')
  })
})

describe('a withdrawal', () => {
  const photos = { scopes: ['chart', 'education'], withdrawnScopes: [] } as const
  const of = (scopes: string[] | null, withdrawn: string[] = []) =>
    withdrawalOf({ ...photos, scopes: [...photos.scopes], withdrawnScopes: withdrawn as never }, scopes as never)
  it('reaches the whole or some uses, and the whole with the last use', () => {
    expect(of(null)).toMatchObject({ change: { status: 'withdrawn', withdrawnScopes: ['chart', 'education'] }, scopes: null })
    expect(of(['education'])).toMatchObject({ change: { status: 'signed', withdrawnScopes: ['education'] }, isRepeated: false })
    expect(of(['chart'], ['education'])).toMatchObject({ change: { status: 'withdrawn' }, scopes: null })
    expect(of(['education'], ['education'])).toMatchObject({ isRepeated: true })
    expect(of(['publication'])).toBeNull()
  })
})
