/** Names of reports and filters: separate from their definitions, because every address is parsed with them. */

export const reportNames = [
  'leads',
  'funnel',
  'response',
  'cohorts',
  'return',
  'referrals',
  'consults',
  'conversion',
  'cancellations',
  'complications',
  'revenue',
  'receipts',
  'forecast',
  'tasks',
] as const
export type ReportName = (typeof reportNames)[number]

export const filterNames = ['user', 'source', 'procedure', 'location'] as const
export type FilterName = (typeof filterNames)[number]
