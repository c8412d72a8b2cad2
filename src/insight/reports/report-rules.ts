import type { FilterName, ReportName } from './name-rules.ts'

/** What each report says, before any number is known: the same words on the screen, in the file and in the mail. */

/** In what a number is counted: whole cents, whole percents, seconds, days. */
export type Unit = 'count' | 'money' | 'percent' | 'seconds' | 'days'

export interface Measure {
  label: string
  unit: Unit
  /** Which way is good news, where one is. */
  better?: 'more' | 'less'
  /** Nothing stands behind it that could be listed. */
  isDerived?: true
  /** It is of those who are there now, whatever the period: what it was before is not known. */
  isOfNow?: true
}

export interface Breakdown {
  title: string
  /** Heads the column of names. */
  of: string
  /** The measures of its columns; the first is the one that is drawn. */
  columns: readonly [string, ...string[]]
  /** Over time: as finely as the period allows, or by month. */
  time?: 'fitting' | 'month'
  /** In their own order, not the largest first. */
  inOrder?: true
  /** Words about care, which not everyone who reads reports may see. */
  isClinical?: true
}

export interface ReportDefinition {
  title: string
  /** What is counted, and how: one or two sentences. */
  says: string
  filters: Partial<Record<FilterName, string>>
  /** The period that is shown unless another is asked for. */
  usual?: 'last-12-months'
  measures: Record<string, Measure>
  figures: readonly string[]
  breakdowns: Record<string, Breakdown>
}

const count = (label: string, better?: Measure['better']): Measure => ({ label, unit: 'count', ...(better && { better }) })
const percent = (label: string, better?: Measure['better']): Measure => ({ label, unit: 'percent', ...(better && { better }) })
const money = (label: string, better?: Measure['better']): Measure => ({ label, unit: 'money', ...(better && { better }) })

const ofLeads = { user: 'Sales rep', source: 'Source', procedure: 'Procedure' } as const
const ofVisits = { user: 'Provider', source: 'Source', procedure: 'Procedure', location: 'Location' } as const

export const reports = {
  leads: {
    title: 'Leads',
    says: 'Patients who were added in the period, by where they came from, grouped as on the dashboard. Booked = currently in a won stage.',
    filters: ofLeads,
    measures: { leads: count('Leads', 'more'), booked: count('Booked surgery', 'more'), rate: percent('Booked', 'more') },
    figures: ['leads', 'booked', 'rate'],
    breakdowns: {
      time: { title: 'Leads over time', of: 'Beginning', columns: ['leads', 'booked'], time: 'fitting' },
      source: { title: 'Leads by source', of: 'Source', columns: ['leads', 'booked', 'rate'] },
      procedure: { title: 'Leads by procedure', of: 'Procedure', columns: ['leads', 'booked', 'rate'] },
      user: { title: 'Leads by sales rep', of: 'Sales rep', columns: ['leads', 'booked', 'rate'] },
    },
  },
  funnel: {
    title: 'Sales funnel',
    says: 'Patients who were added in the period, by the furthest stage they ever reached; going back takes nothing away. Days are the median of the stays that ended in the period, of more than 50,000 stays a fair part of them.',
    filters: ofLeads,
    measures: {
      leads: count('Leads', 'more'),
      won: count('Booked surgery', 'more'),
      wonRate: percent('Booked', 'more'),
      lost: count('Lost', 'less'),
      reached: count('Reached'),
      rate: percent('From previous stage'),
      inIt: count('In it now'),
      left: count('Left stage'),
      days: { label: 'Median days', unit: 'days' },
    },
    figures: ['leads', 'won', 'wonRate', 'lost'],
    breakdowns: {
      stage: { title: 'Stages', of: 'Stage', columns: ['reached', 'rate', 'inIt', 'left', 'days'], inOrder: true },
    },
  },
  response: {
    title: 'First response',
    says: 'From the moment a lead arrives to the first call, email, meeting or stage change by a person. Imported patients are not counted.',
    filters: ofLeads,
    measures: {
      leads: count('Leads'),
      median: { label: 'Median response', unit: 'seconds', better: 'less' },
      quick: percent('Within an hour', 'more'),
      sameDay: percent('Within a day', 'more'),
      waiting: count('Not answered yet', 'less'),
    },
    figures: ['median', 'quick', 'sameDay', 'waiting'],
    breakdowns: {
      band: { title: 'Leads by time to respond', of: 'Time', columns: ['leads'], inOrder: true },
      user: { title: 'First response by sales rep', of: 'Sales rep', columns: ['leads', 'median', 'quick', 'waiting'] },
      source: { title: 'First response by source', of: 'Source', columns: ['leads', 'median', 'quick', 'waiting'] },
    },
  },
  cohorts: {
    title: 'Leads to surgery',
    says: 'Of the patients who were added in a month, how many had booked surgery so many days later, and by now. A month that is younger than that is still filling. Days are the median.',
    filters: ofLeads,
    usual: 'last-12-months',
    measures: {
      leads: count('Leads', 'more'),
      d30: percent('In 30 days', 'more'),
      d90: percent('In 90 days', 'more'),
      d180: percent('In 180 days', 'more'),
      booked: count('To date', 'more'),
      rate: percent('Booked by now', 'more'),
      days: { label: 'Days to booking', unit: 'days', better: 'less' },
    },
    figures: ['leads', 'booked', 'rate', 'days'],
    breakdowns: {
      month: {
        title: 'Booked surgery by month of arrival',
        of: 'Month',
        columns: ['rate', 'leads', 'd30', 'd90', 'd180', 'booked'],
        time: 'month',
      },
    },
  },
  consults: {
    title: 'Consult show rate',
    says: 'Consultations that were to take place in the period. Shown: arrived or completed. The rate is of those who came or missed it; cancelled ones count on neither side.',
    filters: ofVisits,
    measures: {
      consults: count('Consults'),
      shown: count('Came', 'more'),
      missed: count('Missed', 'less'),
      cancelled: count('Cancelled', 'less'),
      open: count('Outcome not recorded'),
      rate: percent('Show rate', 'more'),
    },
    figures: ['rate', 'shown', 'missed', 'cancelled', 'open'],
    breakdowns: {
      time: { title: 'Show rate over time', of: 'Beginning', columns: ['rate', 'consults', 'shown', 'missed'], time: 'fitting' },
      user: { title: 'Show rate by provider', of: 'Provider', columns: ['rate', 'consults', 'shown', 'missed', 'cancelled'] },
      source: { title: 'Show rate by source', of: 'Source', columns: ['rate', 'consults', 'shown', 'missed', 'cancelled'] },
    },
  },
  conversion: {
    title: 'Consult to surgery',
    says: 'Patients whose first consultation was in the period: an appointment that they came to, or their move to Consult Done. Booked: moved to a stage that is won on that day or later. Days are the median.',
    filters: ofVisits,
    measures: {
      consulted: count('Consulted', 'more'),
      booked: count('Booked surgery', 'more'),
      rate: percent('Booked', 'more'),
      days: { label: 'Days to booking', unit: 'days', better: 'less' },
    },
    figures: ['consulted', 'booked', 'rate', 'days'],
    breakdowns: {
      time: { title: 'Consult to surgery over time', of: 'Beginning', columns: ['rate', 'consulted', 'booked'], time: 'fitting' },
      user: { title: 'Consult to surgery by provider', of: 'Provider', columns: ['rate', 'consulted', 'booked', 'days'] },
      procedure: { title: 'Consult to surgery by procedure', of: 'Procedure', columns: ['rate', 'consulted', 'booked', 'days'] },
      source: { title: 'Consult to surgery by source', of: 'Source', columns: ['rate', 'consulted', 'booked', 'days'] },
    },
  },
  cancellations: {
    title: 'Cancellations',
    says: 'Appointments and surgeries that were to take place in the period and were cancelled, missed or postponed. The rate is of all that were booked for it.',
    filters: ofVisits,
    measures: {
      lost: count('Did not take place', 'less'),
      cancelled: count('Cancelled', 'less'),
      missed: count('Missed', 'less'),
      postponed: count('Postponed', 'less'),
      booked: count('Booked'),
      rate: percent('Of all booked', 'less'),
    },
    figures: ['rate', 'cancelled', 'missed', 'postponed'],
    breakdowns: {
      time: { title: 'Cancellations over time', of: 'Beginning', columns: ['lost', 'booked', 'rate'], time: 'fitting' },
      reason: { title: 'Reasons', of: 'Reason', columns: ['cancelled'], isClinical: true },
      kind: { title: 'Cancellations by kind', of: 'Type', columns: ['lost', 'cancelled', 'missed', 'postponed', 'booked', 'rate'] },
      user: { title: 'Cancellations by provider', of: 'Provider', columns: ['lost', 'booked', 'rate'] },
    },
  },
  revenue: {
    title: 'Revenue',
    says: 'Sales receipts that QuickBooks has, after discounts, before tax, less refunds, on the day they were made. Procedure and provider are those of the patient’s surgery on or after that day, else of their last one, else of the patient.',
    filters: { ...ofVisits, user: 'Provider' },
    usual: 'last-12-months',
    measures: {
      net: money('Revenue', 'more'),
      sold: money('Sold', 'more'),
      refunded: money('Refunded', 'less'),
      receipts: count('Receipts'),
      average: { label: 'Average sale', unit: 'money', isDerived: true },
    },
    figures: ['net', 'sold', 'refunded', 'average'],
    breakdowns: {
      month: { title: 'Revenue by month', of: 'Month', columns: ['net', 'sold', 'refunded', 'receipts'], time: 'month' },
      procedure: { title: 'Revenue by procedure', of: 'Procedure', columns: ['net', 'sold', 'refunded', 'receipts'] },
      user: { title: 'Revenue by provider', of: 'Provider', columns: ['net', 'sold', 'refunded', 'receipts'] },
      source: { title: 'Revenue by source', of: 'Source', columns: ['net', 'sold', 'refunded', 'receipts'] },
    },
  },
  receipts: {
    title: 'Receipts and tax',
    says: 'Sales receipts and refunds that QuickBooks has, on the day they were made. Refunds are taken off every amount.',
    filters: { user: 'Taken by' },
    measures: {
      receipts: count('Receipts'),
      subtotal: money('Before tax'),
      tax: money('Tax'),
      total: money('Total', 'more'),
      refunds: money('Refunded', 'less'),
      base: money('Taxed amount'),
      taxed: money('Tax'),
    },
    figures: ['total', 'subtotal', 'tax', 'refunds'],
    breakdowns: {
      time: { title: 'Receipts over time', of: 'Beginning', columns: ['total', 'receipts', 'subtotal', 'tax', 'refunds'], time: 'fitting' },
      tax: { title: 'Tax by code', of: 'Tax code', columns: ['taxed', 'base'] },
      method: { title: 'Receipts by payment method', of: 'Payment method', columns: ['total', 'receipts', 'refunds'] },
    },
  },
  forecast: {
    title: 'Forecast',
    says: 'Patients in each stage now, times the part of the entries into that stage in the period after which surgery was booked, times the average price of the surgeries that were planned in the period.',
    filters: ofLeads,
    usual: 'last-12-months',
    measures: {
      expected: { label: 'Expected surgeries', unit: 'count', better: 'more', isDerived: true, isOfNow: true },
      value: { label: 'Expected revenue', unit: 'money', better: 'more', isDerived: true, isOfNow: true },
      price: { label: 'Average price', unit: 'money', isDerived: true },
      now: { ...count('Patients now'), isOfNow: true },
      entered: count('Entered'),
      won: count('Booked'),
      rate: percent('% booked'),
      days: { label: 'Days to booking', unit: 'days' },
    },
    figures: ['expected', 'value', 'price', 'now'],
    breakdowns: {
      stage: {
        title: 'Expected by stage',
        of: 'Stage',
        columns: ['expected', 'now', 'entered', 'won', 'rate', 'days', 'value'],
        inOrder: true,
      },
    },
  },
  tasks: {
    title: 'Tasks on time',
    says: 'Tasks that were due in the period, for each person they are assigned to; cancelled ones are left out. Each is late from the moment at which the task list calls it overdue; a task without a time is due at 9:00 a.m.',
    filters: { user: 'Staff member' },
    measures: {
      tasks: count('Tasks'),
      onTime: count('On time', 'more'),
      late: count('Done late', 'less'),
      overdue: count('Overdue', 'less'),
      open: count('Not due yet'),
      rate: percent('On-time rate', 'more'),
    },
    figures: ['rate', 'onTime', 'late', 'overdue'],
    breakdowns: {
      user: { title: 'On time by staff member', of: 'Staff member', columns: ['rate', 'tasks', 'onTime', 'late', 'overdue', 'open'] },
      time: { title: 'On time over time', of: 'Beginning', columns: ['rate', 'tasks', 'onTime', 'late', 'overdue'], time: 'fitting' },
    },
  },
} as const satisfies Record<ReportName, ReportDefinition>

type Measures<Name extends ReportName> = (typeof reports)[Name]['measures']
/** The measures of a report that count records. */
export type CountedOf<Name extends ReportName> = {
  [Key in keyof Measures<Name> & string]: Measures<Name>[Key] extends { isDerived: true } ? never : Key
}[keyof Measures<Name> & string]
export type BreakdownOf<Name extends ReportName> = keyof (typeof reports)[Name]['breakdowns'] & string

/** The same, where any of them will do. */
export const definitionOf = (name: ReportName): ReportDefinition => reports[name]

/** How the reports are listed. */
export const reportGroups: readonly { title: string; reports: readonly ReportName[] }[] = [
  { title: 'Leads', reports: ['leads', 'funnel', 'response', 'cohorts'] },
  { title: 'Visits and surgeries', reports: ['consults', 'conversion', 'cancellations', 'forecast'] },
  { title: 'Financial', reports: ['revenue', 'receipts'] },
  { title: 'Team', reports: ['tasks'] },
]
