import type { Db } from '../../kernel/postgres/database.ts'
import { profiles } from '../../platform/auth/table.ts'
import { listStages } from '../../crm/pipeline/service.ts'
import { procedures } from '../../crm/procedures/table.ts'

/** Names for the ids in a report's rows. */
export interface Names {
  staff: Map<string, string>
  procedure: Map<string, string>
  /** In the order of the funnel. */
  stage: Map<string, string>
  /** Original spelling of case-insensitive keys. */
  freeText: Map<string, string>
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
    freeText: new Map(),
  }
}
