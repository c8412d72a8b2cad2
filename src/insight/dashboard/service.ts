import { type Scope, staff } from '../../kernel/scope.ts'
import { recentInteractions } from '../../crm/interactions/service.ts'
import { seesAllTasks } from '../../crm/tasks/policy.ts'
import { listTasks } from '../../crm/tasks/service.ts'
import type { Medians } from './contract.ts'
import type { Figures } from './figures.ts'
import { latestFigures } from './latest-figures.ts'
import { conversionOf, groupSources, maxActivity } from './rules.ts'

/** As many late tasks as the dashboard lists; there is a page for the others. */
const maxOverdue = 50

/** All of the dashboard, as far as the actor may see it, asked for at once. */
export async function readDashboard(scope: Scope) {
  const whose = seesAllTasks(staff(scope)) ? 'everyone' : 'mine'
  const [{ at, figures: read }, activity, overdue] = await Promise.all([
    latestFigures(scope),
    recentInteractions(scope, maxActivity),
    listTasks(scope, { whose, due: 'overdue', sort: 'due', page: 1, limit: maxOverdue }),
  ])
  const { leads, since, perDay, ...figures } = read
  return {
    at,
    leads: {
      week: { count: leads.week, before: leads.weekBefore },
      month: { count: leads.month, before: leads.monthBefore },
      total: leads.total,
      since,
      perDay,
    },
    firstResponse: whole(figures.firstResponse),
    leadToConsult: whole(figures.leadToConsult),
    sources: groupSources(figures.sources),
    stages: figures.stages.map((stage) => ({ ...stage, stay: whole(stage.stay) })),
    procedures: figures.procedures.map(({ id, name, total, booked, recentTotal, recentBooked }) => ({
      id,
      name,
      allTime: conversionOf(total, booked),
      last30Days: conversionOf(recentTotal, recentBooked),
    })),
    activity,
    overdue,
  }
}

const none = { seconds: null, of: 0 }

/** A period in which nothing happened has no median. */
const whole = (medians: Figures['firstResponse']): Medians => ({ now: none, before: none, ...medians })
