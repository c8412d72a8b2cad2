import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import type { ClauseKind, ConsentUse, PhotoScope } from '../definition-rules.ts'
import { deviceOf, type EventKind } from '../event-rules.ts'
import type { SentVia, ShownStatus } from '../status-rules.ts'

interface StatusShown {
  shownStatus: ShownStatus
  awaitsCountersignature: boolean
  sentVia: SentVia
  withdrawnScopes?: readonly PhotoScope[]
}

export const purposeLabels: Record<ConsentUse, string> = {
  every_surgery: 'Every surgery',
  procedures: 'Specific procedures',
  photos: 'Use of photos',
}
/** What it is used for: 'Every surgery', 'Rhinoplasty, Septorhinoplasty'. */
export function describeUse(
  { use, procedureIds }: { use: ConsentUse; procedureIds: readonly string[] },
  procedures: readonly { id: string; name: string }[],
): string {
  if (use !== 'procedures') return purposeLabels[use]
  if (procedureIds.length === 0) return 'No procedures yet'
  return (
    procedures
      .filter(({ id }) => procedureIds.includes(id))
      .map(({ name }) => name)
      .join(', ') || `${procedureIds.length} procedures`
  )
}
export const clauseKindLabels: Record<ClauseKind, string> = {
  procedure: 'What will be done',
  risks: 'Risks',
  alternatives: 'Alternatives',
  photographs: 'Photographs',
  other: 'Other',
}
export const scopeLabels: Record<PhotoScope, string> = {
  chart: 'Chart and referrals',
  consult_room: 'Consult room',
  education: 'Education',
  research: 'Research',
  website: 'Website',
  social_media: 'Social media',
  publication: 'Website and social media',
}
const statusLabels: Record<ShownStatus, string> = {
  sent: 'Sent, not signed',
  signed: 'Signed',
  countersigned: 'Countersigned',
  out_of_date: 'Out of date',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  cancelled: 'Cancelled',
}
/** Whether some uses of photos were withdrawn from a consent form that holds otherwise. */
const isWithdrawnInPart = ({ shownStatus, withdrawnScopes = [] }: StatusShown): boolean =>
  withdrawnScopes.length > 0 && shownStatus !== 'withdrawn'

/** What a list says of a consent form: 'To countersign', 'Signed on paper', 'Withdrawn in part'. */
export function formatStatus(consent: StatusShown): string {
  const { shownStatus, awaitsCountersignature, sentVia } = consent
  if (isWithdrawnInPart(consent)) return 'Withdrawn in part'
  if (awaitsCountersignature) return 'To countersign'
  return shownStatus === 'signed' && sentVia === 'paper' ? 'Signed on paper' : statusLabels[shownStatus]
}
/** The colour of what a list says of it. */
export const toneOf = (consent: StatusShown): BadgeTone =>
  isWithdrawnInPart(consent) || consent.awaitsCountersignature ? 'warning' : statusTones[consent.shownStatus]

const statusTones: Record<ShownStatus, BadgeTone> = {
  sent: 'warning',
  signed: 'success',
  countersigned: 'success',
  out_of_date: 'warning',
  declined: 'danger',
  withdrawn: 'danger',
  cancelled: 'neutral',
}
export const eventLabels: Record<EventKind, string> = {
  sent: 'Given to the patient',
  revised: 'Replaced by a newer version',
  opened: 'Opened',
  asked: 'Question asked',
  signed: 'Signed',
  declined: 'Declined',
  countersigned: 'Countersigned',
  withdrawn: 'Withdrawn',
  cancelled: 'Cancelled',
  recorded: 'Recorded as signed on paper',
}

/** What the patient used for a step: ', on a tablet of the practice opened by Theo Lindgren'. */
export function formatDevice(detail: Record<string, unknown>): string {
  const device = deviceOf(detail)
  if (!device) return ''
  return device.used === 'tablet' ? `, on a tablet of the practice opened by ${device.givenBy}` : ', on the patient’s own device'
}
