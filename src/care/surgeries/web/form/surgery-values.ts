import { centsToText, textToCents } from '../../../../shared/money.ts'
import { instantOf, toLocal } from '../../../../shared/zoned-time.ts'
import { changedFields, blankToNull, timeProblems, parseMinutes } from '../../../calendar/web/embed/booking/booking-values.ts'
import { lengthOf } from '../../../calendar/web/embed/grid/entry.ts'
import type { Problems } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import type { Procedure } from '../../../../crm/procedures/contract.ts'
import { surgeryMessages } from '../../contract.ts'
import { type Anaesthesia, maxMinutes, minMinutes } from '../../rules.ts'
import type { SurgeryInList } from '../surgery-data.ts'

/** The form's fields as typed; empty text is ''. */
export interface SurgeryValues {
  contactId: string | null
  procedureIds: readonly string[]
  surgeonId: string | null
  assistantIds: readonly string[]
  anaesthesia: Anaesthesia | null
  roomId: string | null
  day: string
  time: string
  minutes: string
  implants: string
  /** In dollars. */
  price: string
  notes: string
  /** Only for a new surgery; later, actions change the status. */
  status: 'tentative' | 'confirmed'
}

/** A procedure to choose. Only the name of a deleted procedure is known. */
export type OfferedProcedure = Pick<Procedure, 'id' | 'name'> & Partial<Pick<Procedure, 'minutes' | 'isSurgical' | 'isActive'>>

/** Whether a new case may have the procedure. */
export const isOffered = ({ isSurgical, isActive }: OfferedProcedure): boolean => isSurgical !== false && isActive !== false

/** The sum of the procedures' durations in minutes; two hours if none is known. */
export function defaultMinutes(procedures: readonly OfferedProcedure[], ids: readonly string[]): string {
  const known = ids.reduce((sum, id) => sum + (procedures.find((one) => one.id === id)?.minutes ?? 0), 0)
  return String(known === 0 ? 120 : Math.min(known, maxMinutes))
}

/** Changes the procedures, and the duration to their default unless another one was typed. */
export function withProcedures(values: SurgeryValues, procedureIds: readonly string[], procedures: readonly OfferedProcedure[]) {
  const isDefault = values.minutes === defaultMinutes(procedures, values.procedureIds)
  return { procedureIds, minutes: isDefault ? defaultMinutes(procedures, procedureIds) : values.minutes }
}

export const blankSurgery = (given: Partial<SurgeryValues>): SurgeryValues => ({
  contactId: null,
  procedureIds: [],
  surgeonId: null,
  assistantIds: [],
  anaesthesia: null,
  roomId: null,
  day: '',
  time: '',
  minutes: '120',
  implants: '',
  price: '',
  notes: '',
  status: 'tentative',
  ...given,
})

export function valuesOf(surgery: SurgeryInList, timeZone: string): SurgeryValues {
  const { contact, procedures, surgeonId, assistantIds, anaesthesia, roomId, startsAt, implants, priceCents, notes } = surgery
  return {
    contactId: contact.id,
    procedureIds: procedures.map(({ id }) => id),
    surgeonId,
    assistantIds,
    anaesthesia,
    roomId,
    ...toLocal(startsAt, timeZone),
    minutes: String(lengthOf(surgery)),
    implants: implants ?? '',
    price: centsToText(priceCents),
    notes: notes ?? '',
    // Not editable here.
    status: 'tentative',
  }
}

/** The typed duration; null if it is not valid. */
export const minutesOf = ({ minutes }: Pick<SurgeryValues, 'minutes'>): number | null => parseMinutes(minutes, [minMinutes, maxMinutes])

export function problemsOf(values: SurgeryValues): Problems<SurgeryValues> {
  const { contactId, procedureIds, surgeonId, assistantIds, anaesthesia, price } = values
  return {
    ...(contactId === null && { contactId: surgeryMessages.patient }),
    ...(procedureIds.length === 0 && { procedureIds: surgeryMessages.procedures }),
    ...(surgeonId !== null && assistantIds.includes(surgeonId) && { assistantIds: surgeryMessages.surgeonAssists }),
    ...(anaesthesia === null && { anaesthesia: surgeryMessages.anaesthesia }),
    ...timeProblems(values, [minMinutes, maxMinutes]),
    ...(textToCents(price) === undefined && { price: 'Enter an amount, like 8,200.00' }),
  }
}

/** The API input for valid values. */
export function toInput(values: SurgeryValues, timeZone: string) {
  const { procedureIds, surgeonId, assistantIds, anaesthesia, roomId, day, time, implants, price, notes } = values
  return {
    procedureIds: [...procedureIds],
    surgeonId,
    assistantIds: [...assistantIds],
    anaesthesia: anaesthesia!,
    roomId,
    startsAt: instantOf({ day, time }, timeZone).toISOString(),
    minutes: minutesOf(values)!,
    implants: blankToNull(implants),
    priceCents: textToCents(price) ?? null,
    notes: blankToNull(notes),
  }
}

export const changesOf = (values: SurgeryValues, base: SurgeryValues, timeZone: string) =>
  changedFields(values, base, (typed) => toInput(typed, timeZone))
