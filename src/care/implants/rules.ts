import { type DeviceKind, isImplant, type Side } from '../devices/rules.ts'

/** What happened to an implant that was taken out. */
export const explantFates = ['destroyed', 'kept', 'sent_to_maker', 'sent_to_pathology', 'given_to_patient'] as const
export type ExplantFate = (typeof explantFates)[number]

/** The most lines of devices that a surgery takes. */
export const maxLines = 200

interface Counted {
  quantity: number
  used: number
  wasted: number
  returned: number
}

/** The pieces that are neither used, wasted nor returned yet: without any, the surgery can be completed. */
export const openPieces = ({ quantity, used, wasted, returned }: Counted): number => quantity - used - wasted - returned

/** Whether an implant of this kind is placed on a side, which then has to be stated. */
export const needsSide = (kind: DeviceKind): boolean => kind === 'breast_implant' || kind === 'tissue_expander'

/** Whether a device that is made for a side goes to the other one. */
export const isWrongSide = (madeFor: Side | null, side: Side | null): boolean => madeFor !== null && side !== null && madeFor !== side

/** Whether it is in the patient now. */
export const isPresent = ({ kind, used, explantedOn }: { kind: DeviceKind; used: number; explantedOn: string | null }): boolean =>
  isImplant(kind) && used > 0 && explantedOn === null
