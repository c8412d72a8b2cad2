import { centsToText, textToCents } from '../../../../shared/money.ts'
import { instantOf, toLocal } from '../../../../shared/zoned-time.ts'
import { changedOf, orNull, timeProblems, typedMinutes } from '../../../calendar/web/embed/booking/booking-values.ts'
import { lengthOf } from '../../../calendar/web/embed/entry.ts'
import type { Problems } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import type { Procedure } from '../../../../crm/procedures/contract.ts'
import { surgeryMessages } from '../../contract.ts'
import { type Anaesthesia, longest, shortest } from '../../rules.ts'
import type { SurgeryInList } from '../surgery-data.ts'

/** The form's fields as they are typed: what is empty is ''. */
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
  /** Of a new one; later its actions change it. */
  status: 'tentative' | 'confirmed'
}

/** A procedure to choose; of one that has left the list no more than its name is known. */
export type OfferedProcedure = Pick<Procedure, 'id' | 'name'> & Partial<Pick<Procedure, 'minutes' | 'isSurgical' | 'isActive'>>

/** Whether a new case may have it. */
export const isOffered = ({ isSurgical, isActive }: OfferedProcedure): boolean => isSurgical !== false && isActive !== false

/** How long these procedures take together, as far as it is known; two hours where nothing is. */
export function defaultMinutes(procedures: readonly OfferedProcedure[], ids: readonly string[]): string {
  const known = ids.reduce((sum, id) => sum + (procedures.find((one) => one.id === id)?.minutes ?? 0), 0)
  return String(known === 0 ? 120 : Math.min(known, longest))
}

/** Other procedures: the length follows them until someone types one. */
export function withProcedures(values: SurgeryValues, procedureIds: readonly string[], procedures: readonly OfferedProcedure[]) {
  const isUsual = values.minutes === defaultMinutes(procedures, values.procedureIds)
  return { procedureIds, minutes: isUsual ? defaultMinutes(procedures, procedureIds) : values.minutes }
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
    // It is not among what is changed here.
    status: 'tentative',
  }
}

/** Null unless it is a number of minutes that a surgery may take. */
export const minutesOf = ({ minutes }: Pick<SurgeryValues, 'minutes'>): number | null => typedMinutes(minutes, [shortest, longest])

export function problemsOf(values: SurgeryValues): Problems<SurgeryValues> {
  const { contactId, procedureIds, surgeonId, assistantIds, anaesthesia, price } = values
  return {
    ...(contactId === null && { contactId: surgeryMessages.patient }),
    ...(procedureIds.length === 0 && { procedureIds: surgeryMessages.procedures }),
    ...(surgeonId !== null && assistantIds.includes(surgeonId) && { assistantIds: surgeryMessages.surgeonAssists }),
    ...(anaesthesia === null && { anaesthesia: surgeryMessages.anaesthesia }),
    ...timeProblems(values, [shortest, longest]),
    ...(textToCents(price) === undefined && { price: 'Enter an amount, like 8,200.00' }),
  }
}

/** As the API takes it, once nothing is wrong. */
export function sentOf(values: SurgeryValues, timeZone: string) {
  const { procedureIds, surgeonId, assistantIds, anaesthesia, roomId, day, time, implants, price, notes } = values
  return {
    procedureIds: [...procedureIds],
    surgeonId,
    assistantIds: [...assistantIds],
    anaesthesia: anaesthesia!,
    roomId,
    startsAt: instantOf({ day, time }, timeZone).toISOString(),
    minutes: minutesOf(values)!,
    implants: orNull(implants),
    priceCents: textToCents(price) ?? null,
    notes: orNull(notes),
  }
}

export const changesOf = (values: SurgeryValues, base: SurgeryValues, timeZone: string) =>
  changedOf(values, base, (some) => sentOf(some, timeZone))
