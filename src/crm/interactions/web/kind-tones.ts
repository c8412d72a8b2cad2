import type { TimelineTone } from '../../../ui/display/Timeline.tsx'
import type { InteractionType } from '../contract.ts'

/** The colour of each entry type. Every type in spec 9, including legacy ones, has a colour. */
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
