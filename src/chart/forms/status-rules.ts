export const formStatuses = ['sent', 'started', 'submitted', 'withdrawn'] as const
export type FormStatus = (typeof formStatuses)[number]
/** What staff and patients see: an open form past its last day has expired. */
export const shownStatuses = [...formStatuses, 'expired'] as const
export type ShownFormStatus = (typeof shownStatuses)[number]

export const sentVias = ['email', 'link'] as const
export type SentVia = (typeof sentVias)[number]

/** A check-in is sent by a schedule after a surgery (care/check-ins), not by a person. */
export const formPurposes = ['form', 'check_in'] as const
export type FormPurpose = (typeof formPurposes)[number]

/** Days in which a sent form can be filled in. */
export const openDays = 60

/** The path of the link to a form. The link is no secret: a code from the patient's email opens what is behind it. */
export const formLinkPath = '/forms'

type Sent = { status: FormStatus; expiresAt: Date | string }

export const shownFormStatus = ({ status, expiresAt }: Sent, now: Date | number | string): ShownFormStatus =>
  (status === 'sent' || status === 'started') && new Date(expiresAt).getTime() <= new Date(now).getTime() ? 'expired' : status

/** Why a form can't be filled in; null if it can. */
export function closedCode(form: Sent, now: Date): 'SUBMITTED' | 'WITHDRAWN' | 'EXPIRED' | null {
  const shown = shownFormStatus(form, now)
  if (shown === 'submitted') return 'SUBMITTED'
  if (shown === 'withdrawn') return 'WITHDRAWN'
  return shown === 'expired' ? 'EXPIRED' : null
}
