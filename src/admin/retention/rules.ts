/**
 * The kinds of records that can be deleted automatically after a number of days. All rules are off until an administrator turns them on.
 * Records that must be kept by law (receipts, surgeries, quotes, the ledger, the audit log) are not among them.
 */
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
 * In days: the minimum, the maximum and the default. A kind that is deleted after a fixed time in any case can only be deleted sooner.
 */
export const retentionDays: Record<RetentionKind, { min: number; max: number; default: number }> = {
  untouchedLeads: { min: 180, max: maxDays, default: 730 },
  leadBodies: { min: 30, max: maxDays, default: 365 },
  unlinkedMails: { min: 30, max: maxDays, default: 365 },
  unsentMails: { min: 1, max: maxDays, default: 30 },
  refusedUploads: { min: 1, max: maxDays, default: 30 },
  deletedDocuments: { min: 1, max: 31, default: 7 },
  deletedPatients: { min: 0, max: 0, default: 0 },
  importFiles: { min: 1, max: 29, default: 7 },
  readNotifications: { min: 1, max: maxDays, default: 90 },
  endedSessions: { min: 0, max: maxDays, default: 7 },
}

const formatDays = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

/** The code and message for a form if the number of days is not allowed for this kind; otherwise null. */
export function checkDays(kind: RetentionKind, days: number): { code: 'TOO_SHORT' | 'TOO_LONG'; message: string } | null {
  const { min, max } = retentionDays[kind]
  if (days < min) return { code: 'TOO_SHORT', message: `At least ${formatDays(min)}` }
  return days > max ? { code: 'TOO_LONG', message: `At most ${formatDays(max)}` } : null
}
