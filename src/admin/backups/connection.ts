import type pg from 'pg'
import { connectClient, keepAlive } from '../../kernel/postgres/hosts.ts'

/** A connection as the owner of the tables. */
export const connect = (url: string): Promise<pg.Client> => connectClient(url, { application_name: 'refyne backup', ...keepAlive })

/** Takes an advisory lock until the connection ends. */
export async function tryLock(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [lock])
  return rows[0]!.ours
}

/** The value of a statement that selects one, as `value`. */
export async function valueOf<Value>(client: pg.Client, text: string): Promise<Value> {
  const { rows } = await client.query<{ value: Value }>(text)
  return rows[0]!.value
}
