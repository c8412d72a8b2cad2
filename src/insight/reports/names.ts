import type { Db } from '../../kernel/postgres/database.ts'
import { profiles } from '../../platform/auth/table.ts'
import { listStages } from '../../crm/pipeline/service.ts'
import { procedures } from '../../crm/procedures/table.ts'

/** What the ids in a report's rows are called. */
export interface Names {
  staff: Map<string, string>
  procedure: Map<string, string>
  /** In the order of the funnel. */
  stage: Map<string, string>
  /** Of words regardless of case, how they are written. */
  said: Map<string, string>
}

export async function readNames(db: Db): Promise<Names> {
  const [people, operations, stages] = await Promise.all([
    db.select({ id: profiles.id, name: profiles.name }).from(profiles),
    db.select({ id: procedures.id, name: procedures.name }).from(procedures),
    listStages(db),
  ])
  const asMap = (rows: readonly { id: string; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]))
  return {
    staff: asMap(people),
    procedure: asMap(operations),
    stage: asMap(stages),
    said: new Map(),
  }
}
