/** What the declaration of a contact's field (fields.ts) can state. */

/** The sections of the form, in their order. */
export const formSections = {
  contact: 'Contact',
  identity: 'Identity',
  care: 'Care',
  pipeline: 'Pipeline',
  'follow-up': 'Follow-up and consent',
  booking: 'Appointment and surgery',
  'care-team': 'Emergency contact and care team',
  specialist: 'Specialist consult',
  other: 'Other',
} as const
export type FormSection = keyof typeof formSections

/** Options per kind of field. Each kind has one form control, one schema, one file column and one display format. */
interface Controls {
  /** A person's first or last name; required. */
  name: { max: number }
  text: { max: number; isPostalCode?: true }
  'long-text': { max: number }
  /** One of these options, by stored value with its label. */
  choice: { options: Readonly<Record<string, string>> }
  /** A calendar day. `until: 'today'`: no later than today at the practice. `time`: the field with its time of day, in the same control. */
  day: { until?: 'today'; time?: string }
  /** `statement` is the checkbox label; `yes` and `no` are the filter labels. */
  tick: { statement: string; yes?: string; no?: string }
  /** Money, in cents. */
  amount: object
  /** An instant. `time`: the form field with its time of day. */
  moment: { time: string }
  /** A time of day, edited in the control of its day. */
  time: object
  email: object
  emails: object
  phone: object
  phones: object
  status: object
  stage: object
  /** An entry of one of the clinic's own lists, or any other text. */
  vocabulary: { list: 'sources' | 'procedures' }
  staff: { none: string }
  /** Any other details of a form or file, by name. */
  details: object
}
export type ControlKind = keyof Controls
export type ControlOf<Kind extends ControlKind> = { [K in Kind]: { kind: K } & Controls[K] }[Kind]
/** The kinds that filter.ts and filter-sql.ts can filter by. */
export type FilterableKind = 'text' | 'choice' | 'day' | 'tick' | 'moment' | 'stage' | 'vocabulary' | 'staff'

/** A row in a section of the patient panel, or part of a fact with its own component. */
type RecordPlace =
  | { section: 'contact' | 'identity' | 'care-team' | 'care' | 'source' | 'pipeline' | 'booking' | 'other'; label?: string; none?: string }
  | { fact: string }
export type RecordSection = Extract<RecordPlace, { section: unknown }>['section']

export interface Declaration {
  label: string
  control: ControlOf<ControlKind>
  form: FormSection
  /** Half of a form column, or both columns. Default: one column. */
  width?: 'half' | 'both'
  hint?: string
  record: RecordPlace
  /** The columns that store it. Default: a column with the field's name. */
  columns?: readonly string[]
  /** Labels of columns that differ from the field's label. */
  columnLabels?: Readonly<Record<string, string>>
  /** The columns merged with it, if not its own; false: it is merged with another field. */
  merge?: readonly string[] | false
  /** The column id in URLs, files and the list. Default: the field's name. */
  column?: string
  /** False: not exported. */
  export?: false
  /** Header names in other programs; false: not imported. */
  import?: readonly string[] | false
}

/**
 * Everyone with access to the list sees all its columns and filters, so a clinical field has neither. The hidden column is the one with the
 * field's name.
 */
export type Visibility =
  | { clinical: true; columns?: never; list?: never; filter?: never }
  | ({
      clinical?: never
      /** A column of the list: default width in pixels, and the order of hiding when space is short (highest first). */
      list?: { label?: string; width: number; hideOrder: number }
    } & Filtering)

/** Only fields of a filterable kind may have a filter. */
type Filtering = { filter?: never } | { control: ControlOf<FilterableKind>; filter: FieldFilter }

export interface FieldFilter {
  id: string
  label?: string
  /** The periods to offer. */
  offered?: readonly string[]
  /** The label for "no value". */
  none?: string
}
