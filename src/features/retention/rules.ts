/** What may be forgotten by itself after a time; nothing is unless an administrator says so. What law keeps (receipts, surgeries, quotes, the ledger, the audit log) is no kind. */
export const retentionKinds = ['untouchedLeads', 'refusedUploads', 'readNotifications', 'endedSessions'] as const
export type RetentionKind = (typeof retentionKinds)[number]

/** In days: the least that may be set, and what is offered before anything was. */
export const retentionDays: Record<RetentionKind, { least: number; offered: number }> = {
  untouchedLeads: { least: 180, offered: 730 },
  refusedUploads: { least: 1, offered: 30 },
  readNotifications: { least: 1, offered: 90 },
  endedSessions: { least: 0, offered: 7 },
}
export const mostDays = 3_650
