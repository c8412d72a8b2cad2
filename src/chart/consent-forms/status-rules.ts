export const consentStatuses = ['sent', 'signed', 'declined', 'withdrawn', 'cancelled'] as const
/** `cancelled`: the practice took it back before it was signed. */
export type ConsentStatus = (typeof consentStatuses)[number]

/** What is shown. `out_of_date`: signed, but a later version or the procedures of the surgery have to be signed again. */
export const shownStatuses = [...consentStatuses, 'countersigned', 'out_of_date'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/** `paper`: nothing was sent; it was signed on paper. */
export const sentVias = ['email', 'link', 'paper'] as const
export type SentVia = (typeof sentVias)[number]

/** The path of the link to a consent form. The link is no secret: a code from the patient's email opens what is behind it. */
export const consentLinkPath = '/consents'

/** Whether a signed consent form has to be signed again, and who still has to sign. */
export interface SignedState {
  status: ConsentStatus
  versionNumber: number
  /** The newest version that has to be signed by those who signed an earlier one; 0 if there is none. */
  resignNumber: number
  needsCountersignature: boolean
  countersignedAt: Date | null
  /** The procedures that it named when it was signed. */
  procedureIds: readonly string[]
}

/** `needed`: the procedures of the surgery that it has to cover now. */
export const isOutOfDate = (form: SignedState, needed: readonly string[]): boolean =>
  form.status === 'signed' && (form.versionNumber < form.resignNumber || needed.some((id) => !form.procedureIds.includes(id)))

/** Whether a surgery may rely on it. */
export const isInForce = (form: SignedState, needed: readonly string[]): boolean =>
  form.status === 'signed' && !isOutOfDate(form, needed) && (!form.needsCountersignature || form.countersignedAt !== null)

export const shownStatus = (form: SignedState, needed: readonly string[]): ShownStatus =>
  isOutOfDate(form, needed) ? 'out_of_date' : form.status === 'signed' && form.countersignedAt !== null ? 'countersigned' : form.status
