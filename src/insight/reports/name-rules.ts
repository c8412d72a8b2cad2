/** The names of the reports, and of what they can be narrowed by: apart from all that is said of them, as every address is read by these. */

export const reportNames = [
  'leads',
  'funnel',
  'response',
  'cohorts',
  'consults',
  'conversion',
  'cancellations',
  'revenue',
  'receipts',
  'forecast',
  'tasks',
] as const
export type ReportName = (typeof reportNames)[number]

export const filterNames = ['user', 'source', 'procedure', 'location'] as const
export type FilterName = (typeof filterNames)[number]
