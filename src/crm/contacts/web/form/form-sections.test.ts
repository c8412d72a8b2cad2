import { expect, it } from 'vitest'
import { contactFieldDeclarations } from '../../fields.ts'
import { type ContactFieldName, contactFieldNames, fieldOf, isClinical, isOfKind } from '../../derived-fields.ts'
import { factOf, fieldsOfFact, recordRows, sectionsOfForm } from '../../form-fields.ts'
import type { RecordSection } from '../../declared-fields.ts'
import { blankValues } from '../embed/form/form-values.ts'

const inForm = (clinical: boolean) => sectionsOfForm({ clinical }).flatMap(({ cells }) => cells.flat())
/** Times of day are edited with their day. */
const times: readonly ContactFieldName[] = contactFieldNames.filter((name) => isOfKind(name, 'time'))

it('shows each field in exactly one section of the form, with a form value', () => {
  expect([...inForm(true), ...times].toSorted()).toEqual(contactFieldNames.toSorted())
  expect(contactFieldNames.filter((name) => !(name in blankValues))).toEqual([])
  const withTime = contactFieldNames.flatMap((name) => {
    const { control } = fieldOf(name)
    return 'time' in control && control.time !== undefined ? [control.time] : []
  })
  expect(times.filter((name) => !withTime.includes(name))).toEqual([])
  expect(withTime.filter((time) => !(time in blankValues))).toEqual([])
})

it('leaves clinical fields out of the form for staff who may not see them', () => {
  const names = inForm(false)
  expect(names.filter(isClinical)).toEqual([])
  expect(names).toHaveLength(contactFieldNames.filter((name) => !isClinical(name) && !times.includes(name)).length)
})

it('shows each field on the patient page, as a row of one section or as part of an editable fact', () => {
  const sections: RecordSection[] = ['contact', 'identity', 'care-team', 'care', 'source', 'pipeline', 'booking', 'other']
  const rows = sections.flatMap((section) => recordRows(section, { clinical: true }).map(({ name }) => name))
  const parts = contactFieldNames.filter((name) => 'fact' in contactFieldDeclarations[name].record)
  expect([...rows, ...parts].toSorted()).toEqual(contactFieldNames.toSorted())
  const edited: readonly ContactFieldName[] = contactFieldNames.flatMap((name) => fieldsOfFact(factOf(name)))
  expect(contactFieldNames.filter((name) => !times.includes(name) && !edited.includes(name))).toEqual([])
  expect(sections.flatMap((section) => recordRows(section, { clinical: false })).filter(({ name }) => isClinical(name))).toEqual([])
})
