import { type Clock, formatAgo, formatDateTime } from '../../../../../ui/format.ts'
import { fieldLabels, isOfKind } from '../../../derived-fields.ts'
import { timedDays } from '../../../form-fields.ts'
import { byId, type Directory } from '../directory.ts'
import { formatFieldValue, nothing } from '../field-labels.ts'
import type { Conflict } from '../refusals.ts'
import { type ContactFields, type ContactFormValues, fieldsOf, valuesOf } from './form-values.ts'

/** A field that both users changed, formatted. */
export interface Clash {
  field: keyof ContactFields
  label: string
  who: string
  ago: string
  exactly: string
  before: string
  theirs: string
  mine: string
}

/** The audit log has columns; a reference has two, the id and the literal text. */
const fieldOfColumn: Record<string, keyof ContactFields> = {
  funnelStageId: 'funnelStage',
  leadSourceId: 'leadSource',
  leadSourceText: 'leadSource',
  procedureId: 'procedureOfInterest',
  procedureText: 'procedureOfInterest',
}

/** The conflicting changes with the form's own values, one entry per field of the form. */
export function clashesOf({ current, changes }: Conflict, mine: Partial<ContactFields>, directory: Directory, clock: Clock): Clash[] {
  const theirs = fieldsOf(valuesOf(current, clock.timeZone), clock.timeZone)
  const clashes = new Map<string, Clash>()
  for (const change of changes) {
    const field = fieldOfColumn[change.field] ?? (change.field as keyof ContactFields)
    const format = (value: unknown) => formatFieldValue(field, value, directory, clock)
    const known = clashes.get(field)
    if (known) {
      // The other column of a reference: the old value is in the one that was filled.
      if (known.before === nothing) known.before = format(change.from)
      continue
    }
    clashes.set(field, {
      field,
      label: fieldLabels[field] ?? field,
      who: change.by === null ? 'System' : (byId(directory.people, change.by)?.fullName ?? 'Someone else'),
      ago: formatAgo(change.at, clock).toLowerCase(),
      exactly: formatDateTime(change.at, clock),
      before: format(change.from),
      theirs: format(theirs[field]),
      mine: format(mine[field]),
    })
  }
  return [...clashes.values()]
}

/** 'from “Lead” to “Contacted”', with variants for empty values. */
export function formatChange({ before, theirs }: Pick<Clash, 'before' | 'theirs'>): string {
  if (before === nothing) return `to “${theirs}”; it was empty before`
  return theirs === nothing ? `to empty; it was “${before}”` : `from “${before}” to “${theirs}”`
}

/** The chosen side per field. */
export type Choices = Partial<Record<keyof ContactFields, 'mine' | 'theirs'>>

/** The fields that remain to be saved after the choices. */
export function withoutTheirs(mine: Partial<ContactFields>, choices: Choices): Partial<ContactFields> {
  return Object.fromEntries(
    Object.entries(mine).filter(([field]) => choices[field as keyof ContactFields] !== 'theirs'),
  ) as Partial<ContactFields>
}

const timesOf = (field: string) => timedDays.filter(({ name }) => name === field && isOfKind(name, 'moment')).map(({ time }) => time)

/** The form values of these fields, to keep when the form is rebased. */
export function valuesBehind(fields: Partial<ContactFields>): (keyof ContactFormValues)[] {
  const names = Object.keys(fields) as (keyof ContactFields)[]
  return names.flatMap((field) => [field, ...timesOf(field)])
}
