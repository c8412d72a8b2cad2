import type pg from 'pg'

type Definition = { drop: string; create: string; name: string }

/**
 * Drops the indexes and foreign keys of tables for a bulk load, in the caller's transaction: loading is many times faster without them, and
 * each is then rebuilt in one go, foreign keys checked. A rollback restores them. Keeps primary keys. Does nothing for a role that does not
 * own the tables. Returns what is to be restored, in order.
 */
export async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<{ name: string; restore: () => Promise<void> }[]> {
  const owned = await client.query<{ all: boolean }>(
    `select bool_and(pg_has_role(relowner, 'member')) as all from pg_class where oid = any($1::regclass[])`,
    [tables],
  )
  if (!owned.rows[0]!.all) return []
  const definitions = [...(await foreignKeys(client, tables)), ...(await indexes(client, tables))]
  for (const { drop } of definitions) await client.query(drop)
  // Indexes first: they make checking the foreign keys cheap.
  return definitions.toReversed().map(({ name, create }) => ({
    name,
    restore: async () => {
      await client.query(create)
    },
  }))
}

async function foreignKeys(client: pg.Client, tables: readonly string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select conname as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[]) order by conrelid::regclass::text, conname`,
    [tables],
  )
  return rows
}

/** Indexes that do not back a constraint. */
async function indexes(client: pg.Client, tables: readonly string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select indexrelid::regclass::text as name, format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
     from pg_index where indrelid = any($1::regclass[]) and not exists (select 1 from pg_constraint where conindid = indexrelid)
     order by indrelid::regclass::text, indexrelid::regclass::text`,
    [tables],
  )
  return rows
}
