import { setTimeout as wait } from 'node:timers/promises'
import { appRole, type Clinic } from './clinic.ts'

/**
 * Imports people who share nothing with the existing patients: names of only these six letters, phone numbers of only the digits 2 and 4. All
 * matches of every other term are then old.
 */
export async function importUnknownPatients(clinic: Clinic, count: number): Promise<void> {
  await clinic.query(
    `insert into contacts (first_name, last_name, email, phone, funnel_stage)
     select left(letters, 6), right(letters, 7), letters || '@kux.qw', translate(substr(n::bit(20)::text, 11), '01', '24'), stage.id
     from generate_series(1, $1) as n
     cross join lateral (select translate(md5(n::text), '0123456789abcdef', 'kquvwxkquvwxkquv') as digest) as hashed
     cross join lateral (select left(digest, 9) || translate(lpad(to_hex(n), 5, '0'), '0123456789abcdef', 'kquvwxkquvwxkquv') as letters) as named,
     funnel_stages as stage where stage.is_initial`,
    [count],
  )
  await clinic.query('vacuum (analyze) contacts')
}

/** The number of the newest contact, to reset to. */
export async function newestNumber(clinic: Clinic): Promise<number> {
  const [row] = await clinic.query<{ seq: string }>('select max(seq) as seq from contacts')
  return Number(row!.seq)
}

/** Removes the contacts added since, so that the next case meets the same clinic. */
export async function removeNewerThan(clinic: Clinic, seq: number): Promise<void> {
  await waitForIdle(clinic)
  for (const child of ['interactions', 'contact_stage_history']) {
    await clinic.query(`delete from ${child} using contacts where contacts.id = contact_id and contacts.seq > $1`, [seq])
  }
  await clinic.query('delete from contacts where seq > $1', [seq])
  await clinic.query(`select setval('contacts_seq_seq', $1)`, [seq])
  await clinic.query('vacuum contacts')
}

/** Waits for the last requests, which may still be running although no client waits for their responses. */
async function waitForIdle(clinic: Clinic): Promise<void> {
  for (;;) {
    const [row] = await clinic.query<{ busy: boolean }>(
      'select exists (select 1 from pg_stat_activity where usename = $1 and xact_start is not null) as busy',
      [appRole],
    )
    if (!row!.busy) return
    await wait(50)
  }
}
