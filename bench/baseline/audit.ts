import type pg from 'pg'

interface Entry {
  id: string
  contact_ids: string[]
}

/** Decodes an API cursor to text. */
export const decodeCursor = (cursor: string): string => String(JSON.parse(Buffer.from(cursor, 'base64url').toString()))

/** A page of the log with the patients' names, or the access log of a patient by day, from the simplest possible query. */
export const audit = (pool: pg.Pool, url: string): Promise<unknown> => {
  const { pathname, searchParams } = new URL(url, 'http://bare')
  const contactId = /^\/api\/contacts\/([^/]+)\/views$/.exec(pathname)?.[1]
  return contactId ? seenBy(pool, contactId, decodeCursor(searchParams.get('cursor') ?? '')) : page(pool, searchParams)
}

async function page(pool: pg.Pool, asked: URLSearchParams): Promise<unknown> {
  const values: string[] = []
  const conditions: string[] = []
  const where = (name: string, condition: (place: string) => string) => {
    const value = asked.get(name)
    if (value === null) return
    values.push(name === 'cursor' ? decodeCursor(value) : value)
    conditions.push(condition(`$${values.length}`))
  }
  where('cursor', (at) => `audit_log.id < ${at}::bigint`)
  where('actorId', (at) => `actor_id = ${at}::uuid`)
  where('kind', (at) => `kind = ${at}`)
  where('action', (at) => `action = ${at} and action <> 'viewed'`)
  where('contactId', (at) => `contact_ids @> array[${at}::uuid]`)
  where('from', (at) => `at >= ${at}::date::timestamp at time zone 'America/Toronto'`)
  where('to', (at) => `at < (${at}::date + 1)::timestamp at time zone 'America/Toronto'`)
  const { rows } = await pool.query<Entry>(
    `select audit_log.id, at, actor_id, full_name, actor_role, action, kind, contact_ids, before, after, request_id, address
     from audit_log left join profiles on profiles.id = actor_id where ${conditions.join(' and ')} order by audit_log.id desc limit 51`,
    values,
  )
  const shown = rows.slice(0, 50)
  const names = await pool.query({
    name: 'names-of-entries',
    text: 'select id, first_name, last_name from contacts where id = any($1)',
    values: [shown.flatMap((row) => row.contact_ids.slice(0, 3))],
  })
  return { data: shown.map(({ id, ...row }) => ({ id: Number(id), ...row })), names: names.rows }
}

async function seenBy(pool: pg.Pool, contactId: string, before: string): Promise<unknown> {
  const { rows } = await pool.query(
    `select to_char(at at time zone 'America/Toronto', 'YYYY-MM-DD') as day, actor_id, actor_role, count(*), min(at), max(at), array_agg(distinct kind)
     from audit_log where contact_ids @> array[$1::uuid] and action in ('viewed', 'exported', 'printed')
       and at < $2::date::timestamp at time zone 'America/Toronto'
     group by 1, 2, 3 order by 1 desc, 6 desc limit 101`,
    [contactId, before],
  )
  const last = (rows.at(-1) as { day: string } | undefined)?.day
  return { data: rows.length <= 100 ? rows : rows.filter(({ day }: { day: string }) => day !== last) }
}
