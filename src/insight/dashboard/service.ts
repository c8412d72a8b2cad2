import { type Scope, staff } from '../../kernel/scope.ts'
import { recentInteractions } from '../../crm/interactions/service.ts'
import { seesAllTasks } from '../../crm/tasks/policy.ts'
import { listTasks } from '../../crm/tasks/service.ts'
import type { Medians } from './contract.ts'
import type { Figures } from './figures.ts'
import { latestFigures } from './latest-figures.ts'
import { conversionOf, groupSources, maxActivity } from './rules.ts'

/** Number of overdue tasks the dashboard lists; the tasks page has the rest. */
const maxOverdue = 50

/** Reads the whole dashboard, limited to what the actor may see, in parallel. */
export async function readDashboard(scope: Scope) {
  const show = seesAllTasks(staff(scope)) ? 'everyone' : 'mine'
  const [{ at, figures: read }, activity, overdue] = await Promise.all([
    latestFigures({ ...scope, db: scope.latestDb }),
    recentInteractions(scope, maxActivity),
    listTasks(scope, { show, due: 'overdue', sort: 'due', page: 1, limit: maxOverdue }),
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

/** A period without data has no median. */
const whole = (medians: Figures['firstResponse']): Medians => ({ now: none, before: none, ...medians })
