import { eq, sql } from 'drizzle-orm'
import { NIL } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import { findByIdOrName } from '../../kernel/find-by-name.ts'
import { isUuid } from '../../shared/text.ts'
import { profiles } from '../../platform/auth/table.ts'
import { sourceGroup } from '../../crm/lead-sources/rules.ts'
import { leadSources } from '../../crm/lead-sources/table.ts'
import { locations } from '../../platform/practice/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import type { Ask } from './request-contract.ts'
import { readSourceGroups, type SourceGroups } from './sql/sql.ts'

/** By email address: two people may share a name. */
async function personOf(db: Db, email: string): Promise<string | null> {
  const [person] = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(sql`lower(${profiles.email})`, email.toLowerCase()))
  return person?.id ?? null
}

/**
 * Resolves filter values to canonical ones: people by id, also from an email address; procedures by id, also from a name; sources as
 * display groups, locations by name, also from an id. `orElse`: the value for an unknown person or procedure.
 */
export async function withFilters<Asked extends Ask>(
  db: Db,
  asked: Asked,
  { groups }: SourceGroups,
  orElse: (name: string) => string = () => NIL,
): Promise<Asked> {
  const { user, source, procedure, location } = asked
  const idOf = async (input: string, find: () => Promise<string | null>) =>
    isUuid(input) ? input.toLowerCase() : ((await find()) ?? orElse(input))
  const nameOf = async (table: typeof leadSources | typeof locations, input: string): Promise<string> => {
    const id = await findByIdOrName(db, table, input)
    const [row] = id === null ? [] : await db.select({ name: table.name }).from(table).where(eq(table.id, id))
    return row?.name ?? input
  }
  return {
    ...asked,
    ...(user && { user: await idOf(user, () => personOf(db, user)) }),
    ...(procedure && { procedure: await idOf(procedure, () => findByIdOrName(db, procedures, procedure)) }),
    ...(source && { source: groups.includes(source) ? source : sourceGroup(await nameOf(leadSources, source)) }),
    ...(location && { location: await nameOf(locations, location) }),
  }
}

/** Resolves filters for storage and display: unknown values stay as given. */
export const withKnownFilters = async (db: Db, asked: Ask): Promise<Ask> =>
  withFilters(db, asked, await readSourceGroups(db), (given) => given)
