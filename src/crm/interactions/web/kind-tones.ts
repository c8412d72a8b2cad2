import type { TimelineTone } from '../../../ui/display/Timeline.tsx'
import type { InteractionType } from '../contract.ts'

/** A tint that tells talking, writing, care and money apart. Every type that spec 9 lists has one, the older ones included. */
export const kindTones: Record<InteractionType, TimelineTone> = {
  call: 'info',
  meeting: 'info',
  email: 'rose',
  note: 'warning',
  document: 'warning',
  task: 'accent',
  stage_change: 'accent',
  stage_changed: 'accent',
  consult_booked: 'accent',
  surgery_booked: 'success',
  sales_receipt: 'success',
  quickbooks: 'success',
  tag: 'info',
  tag_added: 'info',
  contact_created: 'success',
  contact_updated: 'neutral',
  contact_merged: 'neutral',
}
