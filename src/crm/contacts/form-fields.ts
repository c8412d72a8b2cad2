/** Where each field is in the form and on the patient page. */
import { formSections, type FormSection, type RecordSection } from './declared-fields.ts'
import { contactFieldDeclarations } from './fields.ts'
import { type Declarations, type ContactFieldName, type FieldOfKind, contactFieldNames, fieldOf, isOfKind } from './derived-fields.ts'

// The form

/** A field with its own control: a time of day is edited with its day. */
export type FormFieldName = Exclude<ContactFieldName, FieldOfKind<'time'>>
const formFields = contactFieldNames.filter((name): name is FormFieldName => !isOfKind(name, 'time'))

/** The cells of each form section: two adjacent half-width fields share one. Leaves out clinical fields unless `clinical`. */
export function sectionsOfForm({ clinical }: { clinical: boolean }): { section: FormSection; cells: FormFieldName[][] }[] {
  const sections = (Object.keys(formSections) as FormSection[]).map((section) => {
    const cells: FormFieldName[][] = []
    for (const name of formFields) {
      const field = fieldOf(name)
      if (field.form !== section || (field.clinical && !clinical)) continue
      const last = cells.at(-1)
      if (last?.length === 1 && field.width === 'half' && fieldOf(last[0]!).width === 'half') last.push(name)
      else cells.push([name])
    }
    return { section, cells }
  })
  return sections.filter(({ cells }) => cells.length > 0)
}

/** The form fields that hold a time of day. */
export type FormTime = Extract<Declarations[FieldOfKind<'day' | 'moment'>]['control'], { time: string }>['time']
/** The days with a time of day in the same control. */
export const timedDays = contactFieldNames.flatMap((name) => {
  if (!isOfKind(name, 'day', 'moment')) return []
  const { control } = contactFieldDeclarations[name]
  return 'time' in control ? [{ name, time: control.time }] : []
})

// The patient page

export type FactName = {
  [Name in ContactFieldName]: Declarations[Name]['record'] extends { fact: infer Fact extends string } ? Fact : Name
}[ContactFieldName]
/** The fact that a field belongs to: one with its own component, or a panel row named after the field. */
export function factOf(name: ContactFieldName): FactName {
  const { record } = contactFieldDeclarations[name]
  return 'fact' in record ? record.fact : (name as FactName)
}

/** The fields edited with a fact. */
export const fieldsOfFact = (fact: FactName): FormFieldName[] => formFields.filter((name) => factOf(name) === fact)

/** The generic rows of a panel section. */
export function recordRows(section: RecordSection, { clinical }: { clinical: boolean }) {
  return contactFieldNames.flatMap((name) => {
    const { label, record, clinical: isClinical } = fieldOf(name)
    if (!('section' in record) || record.section !== section || (isClinical && !clinical)) return []
    return [{ name, fact: factOf(name), label: record.label ?? label, none: record.none }]
  })
}
