/** What the declarations of fields.ts say about each field: its kind, columns, label and access, and its part in merging, the list and filters. */
import type { ControlKind, ControlOf, FilterableKind, Declaration, Visibility, FieldFilter } from './declared-fields.ts'
import { contactFieldDeclarations } from './fields.ts'

export type Declarations = typeof contactFieldDeclarations
export type ContactFieldName = keyof Declarations
export type FieldWith<Part> = { [Name in ContactFieldName]: Declarations[Name] extends Part ? Name : never }[ContactFieldName]
export type FieldOfKind<Kind extends ControlKind> = FieldWith<{ control: { kind: Kind } }>
export type KindOf<Name extends ContactFieldName> = Declarations[Name]['control']['kind']

/** The columns of contacts that a field is stored in. */
export type ColumnOf<Name extends ContactFieldName> = {
  [One in Name]: Declarations[One] extends { columns: readonly (infer Column)[] } ? Column : One
}[Name]
/** Fields stored in a column with their own name: all except references. */
export type StoredField = Exclude<ContactFieldName, FieldWith<{ columns: readonly string[] }>>
type ColumnIdOf<Name extends ContactFieldName> = {
  [One in Name]: Declarations[One] extends { column: infer Id extends string } ? Id : One
}[Name]

const declarations: Readonly<Record<ContactFieldName, Declaration & Visibility>> = contactFieldDeclarations

export const contactFieldNames = Object.keys(declarations) as ContactFieldName[]
export const isContactField = (name: string): name is ContactFieldName => Object.hasOwn(declarations, name)
export const fieldOf = (name: ContactFieldName): Declaration & Visibility => declarations[name]
export const kindOf = <Name extends ContactFieldName>(name: Name) => fieldOf(name).control.kind as KindOf<Name>
export const isOfKind = <Kind extends ControlKind>(name: ContactFieldName, ...kinds: Kind[]): name is FieldOfKind<Kind> =>
  kinds.some((kind) => fieldOf(name).control.kind === kind)
const fieldsWhere = (test: (field: Declaration & Visibility) => boolean) => contactFieldNames.filter((name) => test(fieldOf(name)))

export const storedFields = fieldsWhere(({ columns }) => columns === undefined) as StoredField[]
/** The columns of a field. For a reference: its id, then the literal text used when nothing has that name. */
export const columnsOf = <Name extends ContactFieldName>(name: Name) =>
  (fieldOf(name).columns ?? [name]) as readonly [ColumnOf<Name>, ...ColumnOf<Name>[]]

// Labels

/** Labels by field and by column, in the order of the declaration. */
export const fieldLabels: Readonly<Record<string, string>> = Object.fromEntries(
  contactFieldNames.flatMap((name) => {
    const { label, columnLabels } = fieldOf(name)
    return [name, ...columnsOf(name)].map((column) => [column, columnLabels?.[column] ?? label])
  }),
)

/** The label of a choice value; a value that is no longer offered is returned unchanged. */
export function choiceLabel(name: ContactFieldName, value: string): string {
  const { control } = fieldOf(name)
  return control.kind === 'choice' && Object.hasOwn(control.options, value) ? (control.options[value] ?? value) : value
}

// Access

export type ClinicalField = FieldWith<{ clinical: true }>
/** Fields visible only to staff who treat or advise patients: product decision "billing: contacts (no clinical notes)". */
export const clinicalFields = fieldsWhere(({ clinical }) => clinical === true) as ClinicalField[]
/** Whether any given name is a clinical field. */
export const isClinical = (name: string): boolean => isContactField(name) && fieldOf(name).clinical === true

// Merging

export type MergeField = Exclude<ContactFieldName, FieldWith<{ merge: false }>>
export type MergeColumn = {
  [Name in MergeField]: Declarations[Name] extends { merge: readonly (infer Column)[] } ? Column : ColumnOf<Name>
}[MergeField]
/** The fields that the user chooses in a merge. */
export const mergeFieldNames = fieldsWhere(({ merge }) => merge !== false) as MergeField[]
export const mergeColumnsOf = (name: MergeField) => (fieldOf(name).merge || columnsOf(name)) as readonly MergeColumn[]

// The list

/** The id of a column in URLs, files and the list. */
export const columnId = <Name extends ContactFieldName>(name: Name) => (fieldOf(name).column ?? name) as ColumnIdOf<Name>

export type ListedField = FieldWith<{ list: object }>
export const listedFields = fieldsWhere(({ list }) => list !== undefined) as ListedField[]
export type ListColumn = ColumnIdOf<ListedField>

// Filters

export type FilteredField = FieldWith<{ filter: object }>
export const filteredFields = fieldsWhere(({ filter }) => filter !== undefined) as FilteredField[]
export type DeclaredFilter = Declarations[FilteredField]['filter']['id']
export const filterOf = (name: FilteredField): FieldFilter & { id: DeclaredFilter } => contactFieldDeclarations[name].filter
export const filteredControl = (name: FilteredField): ControlOf<FilterableKind> => contactFieldDeclarations[name].control
