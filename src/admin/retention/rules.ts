/** What may be forgotten by itself after a time; nothing is unless an administrator says so. What law keeps (receipts, surgeries, quotes, the ledger, the audit log) is no kind. */
export const retentionKinds = [
  'untouchedLeads',
  'leadBodies',
  'unlinkedMails',
  'unsentMails',
  'refusedUploads',
  'deletedDocuments',
  'deletedPatients',
  'importFiles',
  'readNotifications',
  'endedSessions',
] as const
export type RetentionKind = (typeof retentionKinds)[number]

export const maxDays = 3_650

/**
 * In days: the least and the most that may be set, and what is offered before anything was. What is forgotten after a time of its own in any case
 * may only be forgotten sooner.
 */
export const retentionDays: Record<RetentionKind, { least: number; most: number; offered: number }> = {
  untouchedLeads: { least: 180, most: maxDays, offered: 730 },
  leadBodies: { least: 30, most: maxDays, offered: 365 },
  unlinkedMails: { least: 30, most: maxDays, offered: 365 },
  unsentMails: { least: 1, most: maxDays, offered: 30 },
  refusedUploads: { least: 1, most: maxDays, offered: 30 },
  deletedDocuments: { least: 1, most: 31, offered: 7 },
  deletedPatients: { least: 0, most: 0, offered: 0 },
  importFiles: { least: 1, most: 29, offered: 7 },
  readNotifications: { least: 1, most: maxDays, offered: 90 },
  endedSessions: { least: 0, most: maxDays, offered: 7 },
}

const inDays = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

/** Null when something may be kept for so long; else what is wrong, as a form says it. */
export function problemOfDays(kind: RetentionKind, days: number): { code: 'TOO_SHORT' | 'TOO_LONG'; message: string } | null {
  const { least, most } = retentionDays[kind]
  if (days < least) return { code: 'TOO_SHORT', message: `At least ${inDays(least)}` }
  return days > most ? { code: 'TOO_LONG', message: `At most ${inDays(most)}` } : null
}
