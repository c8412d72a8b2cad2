import type { Actor } from '../../../kernel/access/rules.ts'
import type { ReportName } from '../name-rules.ts'
import { mayReadReport } from '../policy.ts'
import { reportGroups } from '../report-rules.ts'

/** The groups of the report list, with the reports that someone may read. */
export const groupsFor = (actor: Pick<Actor, 'role'> | null): { title: string; reports: ReportName[] }[] =>
  reportGroups
    .map(({ title, reports }) => ({ title, reports: reports.filter((name) => actor !== null && mayReadReport(actor, name)) }))
    .filter(({ reports }) => reports.length > 0)
