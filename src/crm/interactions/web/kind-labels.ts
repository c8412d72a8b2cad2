import type { InteractionType, TimelineKind } from '../contract.ts'

/** The timeline filters in display order. `none`: the empty state. `clinical`: only for roles that see clinical notes. */
export const kindLabels: Record<TimelineKind, { label: string; none: string; clinical?: true }> = {
  calls: { label: 'Calls', none: 'No calls yet', clinical: true },
  emails: { label: 'Emails', none: 'No emails yet', clinical: true },
  notes: { label: 'Notes', none: 'No notes yet', clinical: true },
  meetings: { label: 'Meetings', none: 'No meetings yet', clinical: true },
  tasks: { label: 'Tasks', none: 'No tasks yet' },
  documents: { label: 'Documents', none: 'No documents yet', clinical: true },
  stages: { label: 'Stage changes', none: 'No stage changes yet' },
  payments: { label: 'Payments', none: 'No payments yet' },
  tags: { label: 'Tags', none: 'No tags yet' },
  changes: { label: 'Other changes', none: 'No other changes yet' },
}

/** The kinds that a role can see. */
export const kindsFor = (clinical: boolean): TimelineKind[] =>
  (Object.keys(kindLabels) as TimelineKind[]).filter((kind) => clinical || !kindLabels[kind].clinical)

/** Badge labels of the entry types (spec 9). */
export const typeLabels: Record<InteractionType, string> = {
  call: 'Call',
  email: 'Email',
  note: 'Note',
  task: 'Task',
  document: 'Document',
  tag: 'Tag',
  meeting: 'Meeting',
  quickbooks: 'QuickBooks',
  stage_change: 'Stage change',
  consult_booked: 'Consult Booked',
  surgery_booked: 'Surgery Booked',
  contact_created: 'New patient',
  stage_changed: 'Stage change',
  tag_added: 'Tag',
  sales_receipt: 'Sales receipt',
  contact_updated: 'Change',
  contact_merged: 'Merge',
}
