import { centsToText, textToCents } from '../../../../shared/money.ts'
import { instantOf, toLocal } from '../../../../shared/zoned-time.ts'
import { lengthOf } from '../../../calendar/web/embed/entry.ts'
import type { Problems } from '../../../calendar/web/embed/useBookingForm.ts'
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
export function minutesOf({ minutes }: Pick<SurgeryValues, 'minutes'>): number | null {
  const typed = /^\d{1,3}$/.test(minutes.trim()) ? Number(minutes) : Number.NaN
  return typed >= shortest && typed <= longest ? typed : null
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

export function problemsOf(values: SurgeryValues): Problems<SurgeryValues> {
  const { contactId, procedureIds, surgeonId, assistantIds, anaesthesia, day, time, minutes, price } = values
  return {
    ...(contactId === null && { contactId: surgeryMessages.patient }),
    ...(procedureIds.length === 0 && { procedureIds: surgeryMessages.procedures }),
    ...(surgeonId !== null && assistantIds.includes(surgeonId) && { assistantIds: surgeryMessages.surgeonAssists }),
    ...(anaesthesia === null && { anaesthesia: surgeryMessages.anaesthesia }),
    ...(!isDay(day) && { day: 'Choose a day' }),
    ...(time === '' && { time: 'Choose a time' }),
    ...(minutesOf(values) === null && {
      minutes: Number(minutes) > longest ? `At most ${longest / 60} hours` : `At least ${shortest} minutes`,
    }),
    ...(textToCents(price) === undefined && { price: 'Enter an amount, like 8,200.00' }),
  }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text)

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

/** Of what is to be sent, what was changed: what someone else has changed in the meantime is not taken back. */
export function changesOf(values: SurgeryValues, base: SurgeryValues, timeZone: string): Partial<ReturnType<typeof sentOf>> {
  const [sent, before] = [sentOf(values, timeZone), sentOf(base, timeZone)]
  const changed = (Object.keys(sent) as (keyof typeof sent)[]).filter((key) => JSON.stringify(sent[key]) !== JSON.stringify(before[key]))
  // The second of two hours that the clocks show twice looks like the first: the moment moves only if what is shown does.
  const keepsStart = values.day === base.day && values.time === base.time
  return Object.fromEntries(changed.filter((key) => key !== 'startsAt' || !keepsStart).map((key) => [key, sent[key]]))
}
