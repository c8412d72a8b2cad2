import { type Clock, formatAgo, formatDateTime } from '../../../../../ui/format.ts'
import { fieldLabels, isOfKind, timedDays } from '../../../fields.ts'
import { byId, type Directory } from '../directory.ts'
import { formatFieldValue, nothing } from '../field-labels.ts'
import type { Conflict } from '../refusals.ts'
import { type ContactFields, type ContactFormValues, fieldsOf, valuesOf } from './form-values.ts'

/** A field that both have changed, in words. */
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

/** The log names columns; a reference has two of them, the id and what was literally said. */
const fieldOfColumn: Record<string, keyof ContactFields> = {
  funnelStageId: 'funnelStage',
  leadSourceId: 'leadSource',
  leadSourceText: 'leadSource',
  procedureId: 'procedureOfInterest',
  procedureText: 'procedureOfInterest',
}

/** Who changed what in the meantime, from what to what, beside what this form wants: one entry per field of the form. */
export function clashesOf({ current, changes }: Conflict, mine: Partial<ContactFields>, directory: Directory, clock: Clock): Clash[] {
  const theirs = fieldsOf(valuesOf(current, clock.timeZone), clock.timeZone)
  const clashes = new Map<string, Clash>()
  for (const change of changes) {
    const field = fieldOfColumn[change.field] ?? (change.field as keyof ContactFields)
    const say = (value: unknown) => formatFieldValue(field, value, directory, clock)
    const known = clashes.get(field)
    if (known) {
      // The other column of a reference: what it was is in whichever of the two was filled.
      if (known.before === nothing) known.before = say(change.from)
      continue
    }
    clashes.set(field, {
      field,
      label: fieldLabels[field] ?? field,
      who: change.by === null ? 'The system' : (byId(directory.people, change.by)?.fullName ?? 'Someone else'),
      ago: formatAgo(change.at, clock).toLowerCase(),
      exactly: formatDateTime(change.at, clock),
      before: say(change.from),
      theirs: say(theirs[field]),
      mine: say(mine[field]),
    })
  }
  return [...clashes.values()]
}

/** 'from “Lead” to “Contacted”', as far as there was and is something. */
export function formatChange({ before, theirs }: Pick<Clash, 'before' | 'theirs'>): string {
  if (before === nothing) return `to “${theirs}”; nothing was there before`
  return theirs === nothing ? `and left it empty; it was “${before}”` : `from “${before}” to “${theirs}”`
}

/** Which side each field takes. */
export type Choices = Partial<Record<keyof ContactFields, 'mine' | 'theirs'>>

/** What is still to be saved once it is decided whose each field is. */
export function withoutTheirs(mine: Partial<ContactFields>, choices: Choices): Partial<ContactFields> {
  return Object.fromEntries(
    Object.entries(mine).filter(([field]) => choices[field as keyof ContactFields] !== 'theirs'),
  ) as Partial<ContactFields>
}

const timesOf = (field: string) => timedDays.filter(({ name }) => name === field && isOfKind(name, 'moment')).map(({ time }) => time)

/** The values of the form that belong to these fields: what goes on standing in it over the newer version. */
export function valuesBehind(fields: Partial<ContactFields>): (keyof ContactFormValues)[] {
  const names = Object.keys(fields) as (keyof ContactFields)[]
  return names.flatMap((field) => [field, ...timesOf(field)])
}
