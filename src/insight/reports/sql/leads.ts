import { sql } from 'drizzle-orm'
import { all, countOf, overTime, percentOf, type ReportSql } from './facts.ts'
import { joinSource, meets, procedureOfContact, source, within } from './sql.ts'

const isBooked = sql`is_booked`

export const leads: ReportSql<'leads'> = {
  facts: (asked) => sql`
    select 'contact' as kind, c.id, c.id as contact_id, c.created_at as at, stage.name as what, null::float8 as amount, null::text as unit,
      stage.kind = 'won' as is_booked, ${source} as source, ${procedureOfContact} as procedure, c.assigned_sales_rep_id::text as rep
    from contacts as c join funnel_stages as stage on stage.id = c.funnel_stage ${joinSource(asked)}
    where ${within(sql`c.created_at`, asked)}
      and ${meets(asked, { user: sql`c.assigned_sales_rep_id`, source, procedure: sql`c.procedure_of_interest` })}`,
  measures: { leads: countOf(), booked: countOf(isBooked), rate: percentOf(isBooked, all) },
  breakdowns: {
    time: overTime('fitting'),
    source: { key: sql`source`, names: 'text' },
    procedure: { key: sql`procedure`, names: 'procedure' },
    user: { key: sql`rep`, names: 'staff' },
  },
}
