import type { FilterName, ReportName } from './name-rules.ts'

/** Texts of each report, independent of its numbers: shared by screen, file and email. */

/** Unit of a number: whole cents, whole percents, percents with one decimal (`rate`), multiples with one decimal (`times`), seconds, days. */
export type Unit = 'count' | 'money' | 'percent' | 'rate' | 'times' | 'seconds' | 'days'

export interface Measure {
  label: string
  unit: Unit
  /** Direction of improvement, if any. */
  better?: 'more' | 'less'
  /** Has no records to list. */
  isDerived?: true
  /** A quotient: where there is nothing it does not exist, rather than being 0. */
  isRatio?: true
  /** Describes the current state regardless of period; the previous state is unknown. */
  isOfNow?: true
}

export interface Breakdown {
  title: string
  /** Heading of the names column. */
  of: string
  /** Measures of the columns; the first is charted. */
  columns: readonly [string, ...string[]]
  /** Over time: as fine as the period allows, monthly or quarterly. */
  time?: 'fitting' | 'month' | 'quarter'
  /** In natural order, not largest first. */
  inOrder?: true
  /** Free text about care, which some roles with report access may not see. */
  isClinical?: true
}

export interface ReportDefinition {
  title: string
  /** What is counted and how, in one or two sentences. */
  says: string
  filters: Partial<Record<FilterName, string>>
  /** Of clinical information: only for those who see adverse events. */
  isClinical?: true
  /** Default period. */
  defaultPeriod?: 'last-12-months'
  measures: Record<string, Measure>
  figures: readonly string[]
  breakdowns: Record<string, Breakdown>
}

const count = (label: string, better?: Measure['better']): Measure => ({ label, unit: 'count', ...(better && { better }) })
const percent = (label: string, better?: Measure['better']): Measure => ({ label, unit: 'percent', ...(better && { better }) })
const rate = (label: string): Measure => ({ label, unit: 'rate', better: 'less' })
const money = (label: string, better?: Measure['better']): Measure => ({ label, unit: 'money', ...(better && { better }) })

const costPer = (label: string) => ({ label, unit: 'money', better: 'less', isDerived: true, isRatio: true }) as const

const ofLeads = { user: 'Sales rep', source: 'Source', procedure: 'Procedure' } as const
const ofVisits = { user: 'Provider', source: 'Source', procedure: 'Procedure', location: 'Location' } as const

/** After the infection rate: its interval and what it was computed from, and the same of returns. */
const rateColumns = [
  'infectionLow',
  'infectionHigh',
  'infections',
  'returnRate',
  'returnLow',
  'returnHigh',
  'returns',
  'surgeries',
] as const

const referralColumns = ['leads', 'booked', 'rate', 'net'] as const
const returnColumns = ['spend', 'return', 'leads', 'costPerLead', 'booked', 'costPerBooking', 'net'] as const

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
    says: 'Patients who were added in the period, by the furthest stage they ever reached; moving back does not count against them. Days are the median time of stays that ended in the period, sampled above 50,000 stays.',
    filters: ofLeads,
    measures: {
      leads: count('Leads', 'more'),
      won: count('Booked surgery', 'more'),
      wonRate: percent('Booked', 'more'),
      lost: count('Lost', 'less'),
      reached: count('Reached'),
      rate: percent('From previous stage'),
      inIt: count('Currently in stage'),
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
    says: 'How many of the patients added in a month had booked surgery within this many days, and to date. Recent months are not complete yet. Days are the median.',
    filters: ofLeads,
    defaultPeriod: 'last-12-months',
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
  return: {
    title: 'Return on spend',
    says: 'Leads = patients added in the period. Booked = leads currently in a won stage. Revenue = that of the period from all patients of the source, whenever they were added, as in the Revenue report. Return = revenue ÷ spend. Of a month that is partly in the period, that share of its spend counts. Totals include sources without spend.',
    filters: { source: 'Source' },
    defaultPeriod: 'last-12-months',
    measures: {
      spend: { label: 'Spend', unit: 'money', isDerived: true },
      leads: count('Leads', 'more'),
      costPerLead: costPer('Cost per lead'),
      booked: count('Booked surgery', 'more'),
      costPerBooking: costPer('Cost per booking'),
      net: money('Revenue', 'more'),
      return: { label: 'Return', unit: 'times', better: 'more', isDerived: true },
    },
    figures: ['spend', 'costPerLead', 'costPerBooking', 'net', 'return'],
    breakdowns: {
      source: { title: 'Return by source', of: 'Source', columns: returnColumns },
      month: { title: 'Return by month', of: 'Month', columns: returnColumns, time: 'month' },
    },
  },
  referrals: {
    title: 'Referrals',
    says: 'Counts patients whose record names a referrer: a patient, practice or person. Leads = patients added in the period. Booked = leads currently in a won stage. Revenue = that of the period from all patients of the referrer, whenever they were added, as in the Revenue report.',
    filters: { source: 'Source' },
    defaultPeriod: 'last-12-months',
    measures: {
      leads: count('Leads', 'more'),
      booked: count('Booked surgery', 'more'),
      rate: percent('Booked', 'more'),
      net: money('Revenue', 'more'),
    },
    figures: ['leads', 'booked', 'rate', 'net'],
    breakdowns: {
      referrer: { title: 'Referrals by referrer', of: 'Referrer', columns: referralColumns },
      kind: { title: 'Patients and others', of: 'Referred by', columns: referralColumns },
      month: { title: 'Referrals by month', of: 'Month', columns: referralColumns, time: 'month' },
    },
  },
  consults: {
    title: 'Consult show rate',
    says: 'Consultations scheduled in the period. Attended = arrived or completed. The show rate counts attended and no-show consultations; cancelled ones are excluded.',
    filters: ofVisits,
    measures: {
      consults: count('Consults'),
      shown: count('Attended', 'more'),
      missed: count('No-show', 'less'),
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
    says: 'Patients whose first consultation was in the period: an attended appointment, or the move to Consult Done. Booked = moved to a won stage on that day or later. Days are the median.',
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
    says: 'Appointments and surgeries scheduled in the period that were cancelled, missed or postponed. The rate is the share of all that were scheduled.',
    filters: ofVisits,
    measures: {
      lost: count('Not completed', 'less'),
      cancelled: count('Cancelled', 'less'),
      missed: count('No-show', 'less'),
      postponed: count('Postponed', 'less'),
      booked: count('Booked'),
      rate: percent('Of all booked', 'less'),
    },
    figures: ['rate', 'cancelled', 'missed', 'postponed'],
    breakdowns: {
      time: { title: 'Cancellations over time', of: 'Beginning', columns: ['lost', 'booked', 'rate'], time: 'fitting' },
      reason: { title: 'Reasons', of: 'Reason', columns: ['cancelled'], isClinical: true },
      kind: { title: 'Cancellations by type', of: 'Type', columns: ['lost', 'cancelled', 'missed', 'postponed', 'booked', 'rate'] },
      user: { title: 'Cancellations by provider', of: 'Provider', columns: ['lost', 'booked', 'rate'] },
    },
  },
  complications: {
    title: 'Infections and returns',
    says: 'Completed surgeries of the period by their day, with an infection, or an unplanned return to the operating room, in the register of adverse events. Low and high are the 95% confidence interval (Wilson) of the rate before them. A surgery counts for its first procedure.',
    filters: { user: 'Surgeon', procedure: 'Procedure', location: 'Location' },
    isClinical: true,
    defaultPeriod: 'last-12-months',
    measures: {
      surgeries: count('Surgeries'),
      infections: count('Infections', 'less'),
      infectionRate: rate('Infection rate'),
      infectionLow: rate('Low'),
      infectionHigh: rate('High'),
      returns: count('Returns', 'less'),
      returnRate: rate('Return rate'),
      returnLow: rate('Low'),
      returnHigh: rate('High'),
    },
    figures: ['infectionRate', 'infections', 'returnRate', 'returns', 'surgeries'],
    breakdowns: {
      quarter: { title: 'By quarter', of: 'Quarter', columns: ['infectionRate', ...rateColumns], time: 'quarter' },
      user: { title: 'By surgeon', of: 'Surgeon', columns: ['infectionRate', ...rateColumns] },
      procedure: { title: 'By procedure', of: 'Procedure', columns: ['infectionRate', ...rateColumns] },
    },
  },
  revenue: {
    title: 'Revenue',
    says: 'Sales receipts in QuickBooks after discounts, before tax, less refunds, by receipt date. Gift cards, packages and store credit count when they are used, not when they are sold; deposits count when they are applied to a charge. Procedure and provider come from the patient’s next surgery on or after that day, otherwise from their last one, otherwise from the patient.',
    filters: { ...ofVisits, user: 'Provider' },
    defaultPeriod: 'last-12-months',
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
    says: 'Sales receipts and refunds in QuickBooks, by date. Refunds are subtracted from every amount. Gift cards, packages and store credit count when money is paid for them, not again when they are used.',
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
    says: 'Patients currently in each stage × share of entries into that stage in the period that led to a booked surgery × average price of surgeries planned in the period.',
    filters: ofLeads,
    defaultPeriod: 'last-12-months',
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
/** Measures of a report that count records. */
export type CountedOf<Name extends ReportName> = {
  [Key in keyof Measures<Name> & string]: Measures<Name>[Key] extends { isDerived: true } ? never : Key
}[keyof Measures<Name> & string]
export type BreakdownOf<Name extends ReportName> = keyof (typeof reports)[Name]['breakdowns'] & string

/** All measures of any report. */
export const definitionOf = (name: ReportName): ReportDefinition => reports[name]

/** Groups of the report list. */
export const reportGroups: readonly { title: string; reports: readonly ReportName[] }[] = [
  { title: 'Leads', reports: ['leads', 'funnel', 'response', 'cohorts', 'return', 'referrals'] },
  { title: 'Visits and surgeries', reports: ['consults', 'conversion', 'cancellations', 'complications', 'forecast'] },
  { title: 'Financial', reports: ['revenue', 'receipts'] },
  { title: 'Team', reports: ['tasks'] },
]
