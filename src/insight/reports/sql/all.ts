import { cancellations } from './cancellations.ts'
import { cohorts } from './cohorts.ts'
import { consults } from './consults.ts'
import { complications } from './complications.ts'
import { conversion } from './conversion.ts'
import type { ReportSql } from './facts.ts'
import { forecast } from './forecast.ts'
import { funnel } from './funnel.ts'
import { leads } from './leads.ts'
import { receipts } from './receipts.ts'
import type { ReportName } from '../name-rules.ts'
import { response } from '../response.ts'
import { referrals } from './referrals.ts'
import { revenue } from './revenue.ts'
import { returnOnSpend } from './return.ts'
import { tasks } from './tasks.ts'

/** The SQL of each report. */
export const reportSql: { [Name in ReportName]: ReportSql<Name> } = {
  leads,
  funnel,
  response,
  cohorts,
  return: returnOnSpend,
  referrals,
  consults,
  conversion,
  cancellations,
  complications,
  revenue,
  receipts,
  forecast,
  tasks,
}
