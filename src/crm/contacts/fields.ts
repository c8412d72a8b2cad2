/**
 * Every field of a contact, declared once. The form, patient page, list, filters, imports, exports, merging, history, access for billing
 * and API schemas are derived from here. A new field needs a column in table.ts, a declaration here and a migration.
 */

/** The sections of the form, in their order. */
export const formSections = {
  contact: 'Contact',
  care: 'Care',
  pipeline: 'Pipeline',
  'follow-up': 'Follow-up and consent',
  booking: 'Appointment and surgery',
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
type FilterableKind = 'text' | 'choice' | 'day' | 'tick' | 'moment' | 'stage' | 'vocabulary' | 'staff'

/** A row in a section of the patient panel, or part of a fact with its own component. */
type RecordPlace =
  | { section: 'contact' | 'care' | 'source' | 'pipeline' | 'booking' | 'other'; label?: string; none?: string }
  | { fact: string }
export type RecordSection = Extract<RecordPlace, { section: unknown }>['section']

interface Declaration {
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
type Visibility =
  | { clinical: true; columns?: never; list?: never; filter?: never }
  | ({
      clinical?: never
      /** A column of the list: default width in pixels, and the order of hiding when space is short (highest first). */
      list?: { label?: string; width: number; hideOrder: number }
    } & Filtering)

/** Only fields of a filterable kind may have a filter. */
type Filtering = { filter?: never } | { control: ControlOf<FilterableKind>; filter: FieldFilter }

interface FieldFilter {
  id: string
  label?: string
  /** The periods to offer. */
  offered?: readonly string[]
  /** The label for "no value". */
  none?: string
}

/** In the order of the form, the history and merging. */
export const contactFieldDeclarations = {
  firstName: {
    label: 'First name',
    control: { kind: 'name', max: 100 },
    form: 'contact',
    record: { fact: 'name' },
    import: ['first', 'given name', 'forename', 'legal first name', 'patient first name', 'preferred first name', 'vorname', 'prénom'],
  },
  lastName: {
    label: 'Last name',
    control: { kind: 'name', max: 100 },
    form: 'contact',
    record: { fact: 'name' },
    import: ['last', 'surname', 'family name', 'legal last name', 'patient last name', 'nachname', 'nom'],
  },
  /** The primary email. Matching also uses the other emails. */
  email: {
    label: 'Email',
    control: { kind: 'email' },
    form: 'contact',
    record: { fact: 'email' },
    merge: ['email', 'otherEmails'],
    import: ['e-mail', 'email address', 'e-mail address', 'primary email', 'work email', 'mail', 'contact email', 'patient email'],
    list: { width: 200, hideOrder: 8 },
  },
  phone: {
    label: 'Phone',
    control: { kind: 'phone' },
    form: 'contact',
    hint: 'Add an extension after an x.',
    record: { fact: 'phone' },
    merge: ['phone', 'otherPhones'],
    import: [
      'phone number',
      'mobile phone',
      'mobile phone number',
      'mobile',
      'cell phone',
      'cell',
      'primary phone',
      'home phone',
      'telephone',
      'tel',
      'work phone',
      'whatsapp phone number',
    ],
    list: { width: 132, hideOrder: 5 },
  },
  otherEmails: {
    label: 'Other emails',
    control: { kind: 'emails' },
    form: 'contact',
    record: { fact: 'email' },
    merge: false,
    import: false,
  },
  otherPhones: {
    label: 'Other phones',
    control: { kind: 'phones' },
    form: 'contact',
    record: { fact: 'phone' },
    merge: false,
    import: false,
  },
  address: {
    label: 'Address',
    control: { kind: 'text', max: 200 },
    form: 'contact',
    width: 'both',
    record: { fact: 'address' },
    import: ['street address', 'mailing street', 'street', 'address line 1', 'address 1', 'mailing address', 'home address'],
  },
  city: {
    label: 'City',
    control: { kind: 'text', max: 100 },
    form: 'contact',
    record: { fact: 'address' },
    import: ['mailing city', 'town', 'home city'],
    list: { width: 116, hideOrder: 9 },
    filter: { id: 'city' },
  },
  state: {
    label: 'Province',
    control: { kind: 'text', max: 100 },
    form: 'contact',
    width: 'half',
    record: { fact: 'address' },
    import: ['state', 'state/region', 'region', 'mailing state', 'mailing state/province', 'state/province', 'home province'],
  },
  zipCode: {
    label: 'Postal code',
    control: { kind: 'text', max: 20, isPostalCode: true },
    form: 'contact',
    width: 'half',
    record: { fact: 'address' },
    import: ['zip', 'zip code', 'postal', 'postcode', 'mailing zip', 'mailing zip/postal code', 'zip/postal code', 'home postal code'],
  },
  company: {
    label: 'Company',
    control: { kind: 'text', max: 200 },
    form: 'contact',
    record: { section: 'other' },
    import: ['company name', 'account name', 'organization', 'organisation', 'employer', 'associated company'],
  },
  title: {
    label: 'Title',
    control: { kind: 'text', max: 100 },
    form: 'contact',
    record: { section: 'other' },
    import: ['job title', 'position', 'occupation', 'role'],
  },
  dateOfBirth: {
    label: 'Date of birth',
    control: { kind: 'day', until: 'today' },
    form: 'contact',
    record: { section: 'contact' },
    import: ['dob', 'birth date', 'birthdate', 'birthday', 'born', 'patient dob', 'patient date of birth'],
    list: { width: 124, hideOrder: 12 },
  },
  pronouns: {
    label: 'Pronouns',
    control: { kind: 'text', max: 40 },
    form: 'contact',
    record: { section: 'contact' },
    import: ['pronoun', 'preferred pronouns', 'patient pronouns'],
    list: { width: 116, hideOrder: 13 },
  },
  preferredLanguage: {
    label: 'Preferred language',
    control: {
      kind: 'choice',
      options: {
        en: 'English',
        fr: 'French',
        ase: 'American Sign Language',
        ar: 'Arabic',
        yue: 'Cantonese',
        gu: 'Gujarati',
        hi: 'Hindi',
        it: 'Italian',
        ko: 'Korean',
        cmn: 'Mandarin',
        fa: 'Persian',
        pl: 'Polish',
        pt: 'Portuguese',
        pa: 'Punjabi',
        ru: 'Russian',
        es: 'Spanish',
        tl: 'Tagalog',
        ta: 'Tamil',
        uk: 'Ukrainian',
        ur: 'Urdu',
        vi: 'Vietnamese',
      },
    },
    form: 'contact',
    record: { section: 'contact', label: 'Language' },
    import: ['language', 'primary language', 'spoken language', 'language preference'],
    list: { label: 'Language', width: 116, hideOrder: 14 },
    filter: { id: 'preferred-language' },
  },

  procedureOfInterest: {
    label: 'Procedure of interest',
    control: { kind: 'vocabulary', list: 'procedures' },
    form: 'care',
    record: { section: 'care', label: 'Procedure' },
    columns: ['procedureId', 'procedureText'],
    column: 'procedure',
    import: ['procedure', 'treatment', 'treatment of interest', 'interest', 'service', 'interested in'],
    list: { width: 160, hideOrder: 3 },
    filter: { id: 'procedure', label: 'Procedure' },
  },
  assignedProviderId: {
    label: 'Provider',
    control: { kind: 'staff', none: 'None' },
    form: 'care',
    record: { section: 'care' },
    column: 'provider',
    import: ['assigned provider', 'practitioner', 'primary practitioner', 'surgeon', 'doctor', 'physician', 'staff member'],
    list: { width: 116, hideOrder: 7 },
    filter: { id: 'provider' },
  },
  weightLossMedication: {
    label: 'Weight-loss medication',
    control: { kind: 'text', max: 500 },
    form: 'care',
    width: 'both',
    record: { section: 'care', none: 'None reported' },
    clinical: true,
    import: ['medication', 'glp-1', 'weight loss medication'],
  },
  notes: {
    label: 'Notes',
    control: { kind: 'long-text', max: 20_000 },
    form: 'care',
    width: 'both',
    record: { fact: 'notes' },
    clinical: true,
    import: ['note', 'comments', 'comment', 'description', 'patient notes', 'remarks', 'message'],
  },

  funnelStage: {
    label: 'Stage',
    control: { kind: 'stage' },
    form: 'pipeline',
    record: { fact: 'stage' },
    columns: ['funnelStageId', 'lostReason'],
    columnLabels: { lostReason: 'Lost reason' },
    column: 'stage',
    import: ['funnel stage', 'pipeline stage', 'deal stage', 'lifecycle stage', 'lead stage', 'lead status'],
    list: { width: 172, hideOrder: 0 },
    filter: { id: 'stage' },
  },
  assignedSalesRepId: {
    label: 'Owner',
    control: { kind: 'staff', none: 'Unassigned' },
    form: 'pipeline',
    record: { section: 'pipeline' },
    column: 'owner',
    import: [
      'contact owner',
      'lead owner',
      'account owner',
      'sales rep',
      'assigned to',
      'assigned sales rep',
      'coordinator',
      'patient coordinator',
    ],
    list: { width: 104, hideOrder: 4 },
    filter: { id: 'owner' },
  },
  leadSource: {
    label: 'Lead source',
    control: { kind: 'vocabulary', list: 'sources' },
    form: 'pipeline',
    record: { fact: 'source' },
    columns: ['leadSourceId', 'leadSourceText'],
    column: 'source',
    import: ['source', 'original source', 'original traffic source', 'referral source', 'how did you hear about us', 'heard about us'],
    list: { label: 'Source', width: 116, hideOrder: 6 },
    filter: { id: 'source' },
  },
  status: {
    label: 'Status',
    control: { kind: 'status' },
    form: 'pipeline',
    record: { section: 'pipeline' },
    import: ['patient status', 'contact status'],
    list: { width: 96, hideOrder: 11 },
  },
  importSource: {
    label: 'Import source',
    control: { kind: 'text', max: 200 },
    form: 'pipeline',
    width: 'both',
    record: { section: 'source', label: 'Created via' },
    import: false,
  },

  nextFollowUpDate: {
    label: 'Next follow-up',
    control: { kind: 'moment', time: 'nextFollowUpTime' },
    form: 'follow-up',
    hint: '9:00 a.m. unless a time is given.',
    record: { fact: 'follow-up' },
    column: 'followUp',
    import: ['next follow up date', 'follow up', 'follow up date', 'next activity date', 'next step date'],
    list: { width: 124, hideOrder: 1 },
    filter: { id: 'follow-up', offered: ['overdue', 'today', 'tomorrow', 'this-week', 'next-week', 'next-30-days', 'none'] },
  },
  lastContactDate: {
    label: 'Last contact',
    control: { kind: 'moment', time: 'lastContactTime' },
    form: 'follow-up',
    record: { section: 'other', none: 'Never' },
    column: 'lastContact',
    import: ['last contact date', 'last contacted', 'last activity date', 'last activity', 'last visit', 'last appointment'],
    list: { width: 104, hideOrder: 2 },
    filter: {
      id: 'last-contact',
      offered: ['today', 'yesterday', 'this-week', 'last-7-days', 'last-30-days', 'last-90-days', 'none'],
      none: 'Never',
    },
  },
  consentToCommunicate: {
    label: 'Consent to communicate',
    control: { kind: 'tick', statement: 'May be contacted by email and text', yes: 'Given', no: 'Not given' },
    form: 'follow-up',
    width: 'both',
    record: { fact: 'consent' },
    column: 'consent',
    import: ['consent', 'marketing consent', 'opt in', 'email opt in', 'marketing email', 'legal basis', 'subscribed'],
    filter: { id: 'consent', label: 'Consent' },
  },

  appointmentDate: {
    label: 'Appointment date',
    control: { kind: 'day', time: 'appointmentTime' },
    form: 'booking',
    record: { fact: 'appointment' },
    import: ['next appointment', 'consult date', 'consultation date'],
  },
  appointmentTime: {
    label: 'Appointment time',
    control: { kind: 'time' },
    form: 'booking',
    record: { fact: 'appointment' },
    import: ['consult time', 'consultation time'],
  },
  appointmentLocation: {
    label: 'Appointment location',
    control: { kind: 'text', max: 200 },
    form: 'booking',
    record: { section: 'booking', label: 'Location' },
    import: ['location', 'clinic location'],
  },
  surgicalDate: {
    label: 'Surgical date',
    control: { kind: 'day' },
    form: 'booking',
    record: { section: 'booking', label: 'Surgery' },
    import: ['surgery date', 'date of surgery', 'operation date'],
    filter: {
      id: 'surgery',
      label: 'Surgery date',
      offered: ['this-week', 'next-week', 'next-30-days', 'this-month', 'next-month', 'last-30-days', 'none'],
    },
  },
  revenueCents: {
    label: 'Revenue',
    control: { kind: 'amount' },
    form: 'booking',
    record: { section: 'booking' },
    column: 'revenue',
    import: ['total revenue', 'amount', 'lifetime value', 'deal amount', 'value', 'total spent'],
  },

  requiresSpecialistConsult: {
    label: 'Specialist consult required',
    control: { kind: 'tick', statement: 'A specialist consult is required' },
    form: 'specialist',
    width: 'both',
    record: { fact: 'specialist' },
    clinical: true,
    import: ['requires specialist consult'],
  },
  specialistConsultType: {
    label: 'Specialist consult type',
    control: { kind: 'text', max: 200 },
    form: 'specialist',
    width: 'both',
    record: { fact: 'specialist' },
    clinical: true,
  },
  specialistConsultReason: {
    label: 'Specialist consult reason',
    control: { kind: 'long-text', max: 2_000 },
    form: 'specialist',
    width: 'both',
    record: { fact: 'specialist' },
    clinical: true,
  },
  specialistResultsReceived: {
    label: 'Specialist results received',
    control: { kind: 'tick', statement: 'The results have been received' },
    form: 'specialist',
    width: 'both',
    record: { fact: 'specialist' },
    clinical: true,
  },
  specialistResultsDate: {
    label: 'Specialist results date',
    control: { kind: 'day' },
    form: 'specialist',
    width: 'both',
    record: { fact: 'specialist' },
    clinical: true,
  },
  specialistNotes: {
    label: 'Specialist notes',
    control: { kind: 'long-text', max: 20_000 },
    form: 'specialist',
    width: 'both',
    record: { fact: 'specialistNotes' },
    clinical: true,
  },

  /** Custom form fields may contain anything, so they count as clinical. */
  metadata: {
    label: 'Other details',
    control: { kind: 'details' },
    form: 'other',
    width: 'both',
    record: { section: 'other' },
    clinical: true,
    export: false,
    import: false,
  },
} as const satisfies Record<string, Declaration & Visibility>

type Declarations = typeof contactFieldDeclarations
export type ContactFieldName = keyof Declarations
type FieldWith<Part> = { [Name in ContactFieldName]: Declarations[Name] extends Part ? Name : never }[ContactFieldName]
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

/** Items in `order`; each item missing there follows its predecessor in `all`. */
function inOrder<Item>(order: readonly Item[], all: readonly Item[]): Item[] {
  const placed = order.filter((item) => all.includes(item))
  for (const [index, item] of all.entries()) {
    if (!placed.includes(item)) placed.splice(index === 0 ? 0 : placed.indexOf(all[index - 1]!) + 1, 0, item)
  }
  return placed
}

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

// Files

/** The order of file columns. Fields not listed here follow their predecessor in the declaration. */
const fileOrder: readonly ContactFieldName[] = [
  'firstName',
  'lastName',
  'email',
  'otherEmails',
  'phone',
  'otherPhones',
  'funnelStage',
  'leadSource',
  'procedureOfInterest',
  'assignedSalesRepId',
  'assignedProviderId',
  'nextFollowUpDate',
  'lastContactDate',
  'consentToCommunicate',
  'status',
  'address',
  'city',
  'state',
  'zipCode',
  'company',
  'title',
  'notes',
  'revenueCents',
  'surgicalDate',
  'appointmentDate',
  'appointmentTime',
  'appointmentLocation',
  'weightLossMedication',
  'requiresSpecialistConsult',
  'specialistConsultType',
  'specialistConsultReason',
  'specialistResultsReceived',
  'specialistResultsDate',
  'specialistNotes',
  'importSource',
]
const fileFields = inOrder(fileOrder, contactFieldNames)

export type ExportedField = Exclude<ContactFieldName, FieldWith<{ export: false }>>
export const exportedFields = fileFields.filter((name): name is ExportedField => fieldOf(name).export !== false)
export type ImportedField = Exclude<ContactFieldName, FieldWith<{ import: false }>>
export const importedFields = fileFields.filter((name): name is ImportedField => fieldOf(name).import !== false)
export const importSynonyms = (name: ImportedField): readonly string[] => fieldOf(name).import || []

/** The id of a column in URLs, files and the list. */
export const columnId = <Name extends ContactFieldName>(name: Name) => (fieldOf(name).column ?? name) as ColumnIdOf<Name>

// The list

export type ListedField = FieldWith<{ list: object }>
export const listedFields = fieldsWhere(({ list }) => list !== undefined) as ListedField[]
export type ListColumn = ColumnIdOf<ListedField>

// Filters

export type FilteredField = FieldWith<{ filter: object }>
export const filteredFields = fieldsWhere(({ filter }) => filter !== undefined) as FilteredField[]
export type DeclaredFilter = Declarations[FilteredField]['filter']['id']
export const filterOf = (name: FilteredField): FieldFilter & { id: DeclaredFilter } => contactFieldDeclarations[name].filter
export const filteredControl = (name: FilteredField): ControlOf<FilterableKind> => contactFieldDeclarations[name].control

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
